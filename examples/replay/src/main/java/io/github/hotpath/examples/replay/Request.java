package io.github.hotpath.examples.replay;

import org.jspecify.annotations.Nullable;

/**
 * A line of a log.
 *
 * @param nanos since 1970
 * @param key of the client; null if the line has none, and so no limit applies
 * @param permits at least 1
 */
record Request(long nanos, @Nullable String key, int permits) {}
