/**
 * Exact counts of events in a sliding window.
 *
 * <p>Start at {@link io.github.hotpath.window.EventWindow}, or, if several threads share a window, at {@link
 * io.github.hotpath.window.ConcurrentEventWindow}.
 */
@NullMarked
package io.github.hotpath.window;

import org.jspecify.annotations.NullMarked;
