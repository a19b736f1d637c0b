package io.github.hotpath.examples.replay;

import java.time.Duration;
import java.util.Arrays;

/** Numbers of several kinds per minute; of a long log, per two minutes, per four, and so on. */
final class Timeline {
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    /** Two days of minutes. */
    static final int MOST_BINS = 2880;

    /** The numbers by kind and bin. */
    private long[][] numbers;

    private long widthNanos = MINUTE_NANOS;

    /** The first and the last bin with numbers, counted from 1970. */
    private long first;

    private long last = -1;

    Timeline(int kinds) {
        numbers = new long[kinds][MOST_BINS];
    }

    /** Adds one, of each kind for which there will be numbers at this time. */
    void add(int kind, long nanos) {
        long bin = Math.floorDiv(nanos, widthNanos);
        if (bin < first || bin > last || last < first) {
            bin = extendTo(nanos);
        }
        numbers[kind][(int) (bin - first)]++;
    }

    private long extendTo(long nanos) {
        long bin = Math.floorDiv(nanos, widthNanos);
        if (last < first) {
            first = bin;
            last = bin;
        }
        while (Math.max(last, bin) - Math.min(first, bin) >= MOST_BINS) {
            widthNanos *= 2;
            move(Math.floorDiv(first, 2L), 2);
            bin = Math.floorDiv(nanos, widthNanos);
        }
        if (bin < first) {
            move(bin, 1);
        }
        last = Math.max(last, bin);
        return bin;
    }

    /** Makes another bin the first one, and adds so many bins into each. */
    private void move(long newFirst, int merged) {
        long[][] moved = new long[numbers.length][MOST_BINS];
        for (int kind = 0; kind < numbers.length; kind++) {
            for (long bin = first; bin <= last; bin++) {
                moved[kind][(int) (Math.floorDiv(bin, merged) - newFirst)] += numbers[kind][(int) (bin - first)];
            }
        }
        numbers = moved;
        first = newFirst;
        last = Math.floorDiv(last, merged);
    }

    /** Returns the time span of a bin. */
    Duration width() {
        return Duration.ofNanos(widthNanos);
    }

    /** Returns the time at which the first bin begins, in nanoseconds since 1970. */
    long startNanos() {
        return first * widthNanos;
    }

    /** Returns the numbers of a kind, by bin. */
    long[] numbers(int kind) {
        return Arrays.copyOf(numbers[kind], (int) (last - first + 1));
    }
}
