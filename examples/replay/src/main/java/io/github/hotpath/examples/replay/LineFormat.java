package io.github.hotpath.examples.replay;

import org.jspecify.annotations.Nullable;

/** Reads the lines of a log. */
interface LineFormat {
    /** Reads a line. */
    Request read(String line) throws UnreadableLineException;

    /** Returns whether the first line of a file has the names of columns. */
    default boolean isHeader(String line) {
        return false;
    }

    /**
     * A line of a log.
     *
     * @param nanos since 1970
     * @param key of the client; null if the line has none, and so no limit applies
     * @param permits at least 1
     */
    record Request(long nanos, @Nullable String key, int permits) {}
}
