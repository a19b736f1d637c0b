package io.github.hotpath.examples.replay;

/** How often one client is refused by one candidate, and for how long by the sliding window. */
final class Refusals {
    private final long[] numbers = new long[Algorithm.values().length];
    private double waitSum;
    private long longestWait;
    private long neverGranted;

    /** Counts a refusal. */
    void add(Algorithm algorithm) {
        numbers[algorithm.ordinal()]++;
    }

    /** Counts a refusal by the sliding window, with the delay after which the request would be granted. */
    void add(long waitNanos) {
        add(Algorithm.SLIDING_WINDOW);
        if (waitNanos == Long.MAX_VALUE) { // more permits than the limit has
            neverGranted++;
        } else {
            waitSum += waitNanos;
            longestWait = Math.max(longestWait, waitNanos);
        }
    }

    /** Adds those of another client. */
    void add(Refusals other) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] += other.numbers[i];
        }
        waitSum += other.waitSum;
        longestWait = Math.max(longestWait, other.longestWait);
        neverGranted += other.neverGranted;
    }

    long number(Algorithm algorithm) {
        return numbers[algorithm.ordinal()];
    }

    /** Returns how many requests the sliding window would grant at no time. */
    long neverGranted() {
        return neverGranted;
    }

    /** Returns the mean time to wait after a refusal that is not for ever, or 0. */
    double meanWaitNanos() {
        long waits = number(Algorithm.SLIDING_WINDOW) - neverGranted;
        return waits == 0 ? 0 : waitSum / waits;
    }

    long longestWaitNanos() {
        return longestWait;
    }
}
