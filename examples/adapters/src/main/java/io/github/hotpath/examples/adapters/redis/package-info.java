/**
 * One limit for all that share a Redis: {@link SharedLimits}.
 *
 * <p>Files: this package, web; examples/redis.
 *
 * <p>Dependencies: hotpath-core, jspecify, and those of examples/redis.
 */
@NullMarked
package io.github.hotpath.examples.adapters.redis;

import org.jspecify.annotations.NullMarked;
