/**
 * Which limit? A log replayed through candidate limits.
 *
 * <p>Start at {@link io.github.hotpath.examples.replay.ReplayLog}, the program; {@code Replay} is what it does with
 * each request, {@code Report} what it prints.
 */
@NullMarked
package io.github.hotpath.examples.replay;

import org.jspecify.annotations.NullMarked;
