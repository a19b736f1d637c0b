/**
 * Counts of events in sliding windows, exact or with guaranteed bounds.
 *
 * <p>Start with {@link io.github.hotpath.window.EventWindow}, or, if several threads share a window, with {@link
 * io.github.hotpath.window.ConcurrentEventWindow}. {@link io.github.hotpath.window.BoundedEventWindow} counts in
 * logarithmic memory.
 */
@NullMarked
package io.github.hotpath.window;

import org.jspecify.annotations.NullMarked;
