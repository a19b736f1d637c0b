package io.github.hotpath.examples.replay;

/** How often one candidate refuses one client, or all, and for how long. */
final class Refusals {
    long number;
    long longestWaitNanos;

    /** How many requests would be granted at no time. */
    long neverGranted;

    private double waitSum;

    /** Counts a refusal, with the delay after which the request would be granted. */
    void add(long waitNanos) {
        number++;
        if (waitNanos == Long.MAX_VALUE) { // more permits than the limit has
            neverGranted++;
        } else {
            waitSum += waitNanos;
            longestWaitNanos = Math.max(longestWaitNanos, waitNanos);
        }
    }

    /** Returns the mean time to wait after a refusal that is not for ever, or 0. */
    double meanWaitNanos() {
        return number == neverGranted ? 0 : waitSum / (number - neverGranted);
    }
}
