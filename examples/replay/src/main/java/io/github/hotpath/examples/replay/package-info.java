/**
 * Which limit? A log replayed through candidate limits.
 *
 * <p>Start at {@link io.github.hotpath.examples.replay.ReplayLog}, the program; {@code Replay} is what it does with
 * each request, {@code Clients} what it retains.
 */
@NullMarked
package io.github.hotpath.examples.replay;

import org.jspecify.annotations.NullMarked;
