package io.github.hotpath.examples.benchmarks;

/** A window to which the time is passed, so that rivals can be called alike. */
interface Window {
    /** Records an event. What it returns is there to be used, so that no compiler leaves the work out. */
    long record(long nanos);

    /** Returns how many events are in the window. */
    long count(long nanos);

    /** Returns what is measured: another object if this one only adapts it. */
    default Object adapted() {
        return this;
    }
}
