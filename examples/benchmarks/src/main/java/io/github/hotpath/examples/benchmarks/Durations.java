package io.github.hotpath.examples.benchmarks;

/**
 * How often a call took how long: a histogram with 32 buckets for each power of two, so that a percentile is at most
 * 3% too large, and with the exact maximum. Not thread-safe: each thread has its own, and they are added up.
 */
final class Durations {
    private static final int BITS = 5;

    /** Durations of 2^40 ns (18 minutes) and more are in the last bucket. */
    private static final int BUCKETS = (40 - BITS + 1) << BITS;

    private final int[] buckets = new int[BUCKETS];
    private long count;
    private long max;

    void add(long nanos) {
        buckets[Math.min(bucket(nanos), BUCKETS - 1)]++;
        count++;
        max = Math.max(max, nanos);
    }

    void addAll(Durations other) {
        for (int i = 0; i < BUCKETS; i++) {
            buckets[i] += other.buckets[i];
        }
        count += other.count;
        max = Math.max(max, other.max);
    }

    long count() {
        return count;
    }

    /** Returns the longest duration, 0 if there is none. */
    long max() {
        return max;
    }

    /** Returns the least duration that so many of a thousand do not exceed, rounded up to the end of its bucket. */
    long quantile(int perMille) {
        long rank = (count * perMille + 999) / 1000;
        long seen = 0;
        for (int i = 0; i < BUCKETS - 1; i++) {
            seen += buckets[i];
            if (seen >= rank) {
                return Math.min(lowest(i + 1) - 1, max);
            }
        }
        return max;
    }

    /** Returns the bucket of a duration: its own up to 63 ns, then as the first six binary digits say. */
    private static int bucket(long nanos) {
        int shift = Math.max(63 - BITS - Long.numberOfLeadingZeros(nanos), 0);
        return (shift << BITS) + (int) (nanos >>> shift);
    }

    /** Returns the least duration in a bucket. */
    private static long lowest(int bucket) {
        int shift = Math.max((bucket >> BITS) - 1, 0);
        return (long) (bucket - (shift << BITS)) << shift;
    }
}
