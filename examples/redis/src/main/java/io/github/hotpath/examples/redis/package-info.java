/**
 * One exact limit for all that share a Redis.
 *
 * <p>To copy: {@link RedisLimits}, {@link RedisLimiter}, {@link Script} with its two scripts,
 * {@link NotAcquiredException} and {@link OutcomeUnknownException}. They need Lettuce 7.7 or later, Guava, and this
 * library for its {@link io.github.hotpath.limit.Limit}.
 */
@NullMarked
package io.github.hotpath.examples.redis;

import org.jspecify.annotations.NullMarked;
