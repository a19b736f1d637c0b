/** One exact limit for all that share a Redis: {@link RedisLimits} is the file to copy. */
@NullMarked
package io.github.hotpath.examples.redis;

import org.jspecify.annotations.NullMarked;
