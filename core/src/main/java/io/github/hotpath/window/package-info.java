/**
 * Exact counts of events in a sliding window.
 *
 * <p>Start at {@link io.github.hotpath.window.EventWindow}.
 */
@NullMarked
package io.github.hotpath.window;

import org.jspecify.annotations.NullMarked;
