/**
 * Exact limits over sliding windows.
 *
 * <p>Start at {@link io.github.hotpath.limit.SlidingWindowLimiter}.
 */
@NullMarked
package io.github.hotpath.limit;

import org.jspecify.annotations.NullMarked;
