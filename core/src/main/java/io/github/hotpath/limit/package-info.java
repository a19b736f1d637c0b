/**
 * Exact rate limits over sliding windows.
 *
 * <p>Start with {@link io.github.hotpath.limit.SlidingWindowLimiter}. {@link io.github.hotpath.limit.KeyedLimiter}
 * limits each client, or other key, separately.
 */
@NullMarked
package io.github.hotpath.limit;

import org.jspecify.annotations.NullMarked;
