package io.github.hotpath.window;

import io.github.hotpath.internal.Sizes;
import java.util.ArrayDeque;
import java.util.Arrays;

/** Copies the times of several sorted logs, and merges them. Not thread-safe. */
final class Merge implements EventLog.Visitor {
    /** Sorted times: the copies of logs, and what they have been merged into. */
    private final ArrayDeque<long[]> runs = new ArrayDeque<>();

    /**
     * Copies the times of {@code log}.
     *
     * @throws OutOfMemoryError if there are more than an array can hold
     */
    @Override
    public void visit(EventLog log) {
        if (log.size() > 0) {
            long[] run = new long[Sizes.arrayLength(log.size())];
            log.copyTo(run, 0);
            runs.add(run);
        }
    }

    /**
     * Returns the newest {@code count} of all times, oldest first. To be called once, after all visits.
     *
     * @throws OutOfMemoryError if there are more times than an array can hold
     */
    long[] newest(long count) {
        while (runs.size() > 1) {
            runs.add(merged(runs.remove(), runs.remove()));
        }
        long[] all = runs.isEmpty() ? new long[0] : runs.remove();
        return count == all.length ? all : Arrays.copyOfRange(all, all.length - (int) count, all.length);
    }

    /**
     * Merges two sorted arrays. Times of two threads alternate unpredictably, so a branch for each time would be
     * mispredicted half of the time: instead, the sign of the difference is a mask that chooses the older one.
     */
    private static long[] merged(long[] left, long[] right) {
        long[] merged = new long[Sizes.arrayLength((long) left.length + right.length)];
        int fromLeft = 0;
        int fromRight = 0;
        int to = 0;
        while (fromLeft < left.length && fromRight < right.length) {
            long time = left[fromLeft];
            long difference = right[fromRight] - time;
            int mask = (int) (difference >> 63); // -1 if the right one is older, or else 0
            merged[to++] = time + (difference & mask);
            fromLeft += 1 + mask;
            fromRight -= mask;
        }
        int rest = left.length - fromLeft;
        System.arraycopy(left, fromLeft, merged, to, rest);
        System.arraycopy(right, fromRight, merged, to + rest, right.length - fromRight);
        return merged;
    }
}
