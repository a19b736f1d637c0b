package io.github.hotpath.examples.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * When calls come, and the clock that shows it. It stands still until the next one, however often it is read, and each
 * reading takes as long as one of the system's clock, since it reads that as well.
 */
final class Arrivals implements LongSupplier {
    /** As calls of many independent callers come: each gap is as likely after a long one as after a short one. */
    static final String EXPONENTIAL = "exponential gaps";

    /** All gaps are the same, which no traffic has. */
    static final String REGULAR = "regular gaps";

    /** Eight together, on average, then a longer gap; the mean is that of the others. */
    static final String BURSTS = "bursts of eight";

    /** One call after the other, by the system's clock. */
    static final String LOOP = "a loop";

    /** So many, a power of two, that no processor learns which are short. */
    private static final int NUMBER = 1 << 18;

    private final int[] gaps;
    private int next;
    private long now;
    private long read;

    Arrivals(String kind, int meanNanos) {
        gaps = kind.equals(LOOP) ? new int[0] : gaps(kind, meanNanos);
    }

    static int[] gaps(String kind, int mean) {
        SplittableRandom random = new SplittableRandom(1);
        int[] gaps = new int[NUMBER];
        Arrays.setAll(gaps, i -> switch (kind) {
            case REGULAR -> mean;
            case EXPONENTIAL -> exponential(random, mean);
            case BURSTS -> random.nextInt(8) > 0 ? 1 : exponential(random, 8 * mean - 7);
            default -> throw new IllegalArgumentException("kind: " + kind);
        });
        return gaps;
    }

    private static int exponential(SplittableRandom random, int mean) {
        return (int) (-Math.log(1 - random.nextDouble()) * mean + random.nextDouble()); // rounded without a bias
    }

    /** Lets the next call come. In a loop it has come already, and nothing is written: threads may share this. */
    void next() {
        if (gaps.length > 0) {
            now += gaps[next++ & NUMBER - 1];
        }
    }

    @Override
    public long getAsLong() {
        long real = System.nanoTime();
        if (gaps.length == 0) {
            return real;
        }
        read = real;
        return now;
    }
}
