package io.github.hotpath.window;

import io.github.hotpath.internal.Sizes;
import java.util.Arrays;

/** Copies the times of several sorted logs, and puts them in order by a natural merge sort. Not thread-safe. */
final class Merge implements EventLog.Visitor {
    /** The copies of all logs, one after another. */
    private final long[] copies;

    /** The number of times copied. */
    private int copied;

    /** Where each sorted run begins, and behind {@link #runs} of them where the last one ends. */
    private int[] starts = new int[4];

    private int runs;

    /**
     * Creates a merge of logs that have {@code size} events in all.
     *
     * @throws OutOfMemoryError if there are more than an array can hold
     */
    Merge(long size) {
        copies = new long[Sizes.arrayLength(size)];
    }

    /** Copies the times of {@code log}: a run, or the rest of one, as in the stripe that follows the first one. */
    @Override
    public void visit(EventLog log) {
        int start = copied;
        log.copyTo(copies, start);
        copied += (int) log.size();
        if (start < copied && (runs == 0 || copies[start] - copies[start - 1] < 0)) {
            starts = runs + 2 <= starts.length ? starts : Arrays.copyOf(starts, 2 * starts.length);
            starts[runs++] = start;
        }
        starts[runs] = copied;
    }

    /** Returns the newest {@code count} of all times, oldest first. To be called once, after all visits. */
    long[] newest(long count) {
        long[] sorted = copies;
        long[] other = runs > 1 ? new long[copied] : copies;
        while (runs > 1) {
            int merged = 0;
            for (int run = 0; run < runs; run += 2) {
                int end = starts[Math.min(run + 2, runs)];
                merge(sorted, starts[run], starts[run + 1], end, other);
                starts[merged++] = starts[run];
            }
            starts[merged] = copied;
            runs = merged;
            long[] from = sorted;
            sorted = other;
            other = from;
        }
        return count == sorted.length ? sorted : Arrays.copyOfRange(sorted, sorted.length - (int) count, sorted.length);
    }

    /**
     * Merges two adjacent runs, the second of which may be empty, to the same place in another array.
     *
     * <p>Times of two threads alternate unpredictably, so a branch for each would be mispredicted half of the time; and
     * the position of the next time depends on the run of the last one. So the sign of a difference is a mask that
     * chooses, and the runs are merged from both ends alternately, as two chains of instructions that overlap: that
     * saves a third of the time.
     */
    private static void merge(long[] from, int start, int middle, int end, long[] to) {
        int firstLeft = start;
        int lastLeft = middle - 1;
        int firstRight = middle;
        int lastRight = end - 1;
        int next = start;
        int last = end - 1;
        while (firstLeft < lastLeft && firstRight < lastRight) {
            long older = from[firstLeft];
            long difference = from[firstRight] - older;
            int mask = (int) (difference >> 63); // -1 if the right one is older, or else 0
            to[next++] = older + (difference & mask);
            firstLeft += 1 + mask;
            firstRight -= mask;

            long newer = from[lastRight];
            difference = newer - from[lastLeft];
            mask = (int) (difference >> 63); // -1 if the left one is newer, or else 0
            to[last--] = newer - (difference & mask);
            lastLeft += mask;
            lastRight -= 1 + mask;
        }
        while (firstLeft <= lastLeft && firstRight <= lastRight) {
            to[next++] = from[firstRight] - from[firstLeft] < 0 ? from[firstRight++] : from[firstLeft++];
        }
        int rest = lastLeft + 1 - firstLeft;
        System.arraycopy(from, firstLeft, to, next, rest);
        System.arraycopy(from, firstRight, to, next + rest, lastRight + 1 - firstRight);
    }
}
