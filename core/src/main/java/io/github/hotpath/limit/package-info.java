/**
 * Exact limits over sliding windows.
 *
 * <p>Start at {@link io.github.hotpath.limit.SlidingWindowLimiter}. {@link io.github.hotpath.limit.KeyedLimiter} is one
 * for each client or other key.
 */
@NullMarked
package io.github.hotpath.limit;

import org.jspecify.annotations.NullMarked;
