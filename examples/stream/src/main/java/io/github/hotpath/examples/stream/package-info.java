/**
 * Counts of a stream that is too large for one machine, on Apache Flink.
 *
 * <p>To copy: {@link SlidingCounts}, {@link EventWindowSerializer} and {@code SlideWatermarks}.
 */
@NullMarked
package io.github.hotpath.examples.stream;

import org.jspecify.annotations.NullMarked;
