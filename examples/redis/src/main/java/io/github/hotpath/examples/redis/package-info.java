/**
 * One exact limit for all that share a Redis.
 *
 * <p>To copy: {@link RedisLimiter} and {@link LimitServer} with the classes that they use, {@link Rules},
 * {@link Refusals}, {@link AcquireScript} with {@code acquire.lua}, {@link NotAcquiredException} and
 * {@link OutcomeUnknownException}.
 */
@NullMarked
package io.github.hotpath.examples.redis;

import org.jspecify.annotations.NullMarked;
