package io.github.hotpath.examples.article;

/** A count of the events of the last 100 ms, closed: an event exactly as old still counts. */
interface Window {
    long INTERVAL_NANOS = 100_000_000;

    /** Records an event at {@code nanos}, evicts expired events, and returns the number of those left. */
    long record(long nanos);
}
