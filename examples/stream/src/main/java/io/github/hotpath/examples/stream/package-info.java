/**
 * Counts of a stream that is too large for one machine, on Apache Flink.
 *
 * <p>To copy: {@link SlidingCounts} with its {@link EventWindowSerializer} and {@code Settings}.
 */
@NullMarked
package io.github.hotpath.examples.stream;

import org.jspecify.annotations.NullMarked;
