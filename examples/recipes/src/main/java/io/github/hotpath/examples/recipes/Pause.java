package io.github.hotpath.examples.recipes;

/** A way to wait: {@code TimeUnit.NANOSECONDS::sleep}, or advancing a simulated clock. */
interface Pause {
    /** Waits for that long, more or less. */
    void nanos(long nanos) throws InterruptedException;
}
