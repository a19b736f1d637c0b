package io.github.hotpath.examples.benchmarks;

/** A window that is told the time, so that rivals can be called alike. */
interface Window {
    /** Records an event; returns how many there are if that is known, or else anything. */
    long record(long nanos);

    /** Returns how many events are in the window. */
    long count(long nanos);
}
