package io.github.hotpath.window;

import io.github.hotpath.internal.Sizes;
import java.util.Arrays;
import java.util.PriorityQueue;

/** Copies the times of several sorted logs, and puts them in order. Not thread-safe. */
final class Merge implements EventLog.Visitor {
    /*
     * The copy of a log is a sorted run, or continues one: the first stripe has the events from before any threads
     * contended. Runs are merged two at a time, always the two shortest, as in Huffman's code: a time is moved as
     * rarely as possible: once, if two threads have recorded nearly all events.
     */

    /** The copies of all logs, one after another. */
    private final long[] times;

    /** The number of times copied. */
    private int copied;

    /** The start of the run that is still being copied. */
    private int lastRun;

    /** The finished runs that have not been merged, the shortest first. */
    private final PriorityQueue<Run> runs = new PriorityQueue<>();

    /** A sorted part of an array. */
    private static final class Run implements Comparable<Run> {
        final long[] times;
        final int start;
        final int end;

        Run(long[] times, int start, int end) {
            this.times = times;
            this.start = start;
            this.end = end;
        }

        int length() {
            return end - start;
        }

        @Override
        public int compareTo(Run other) {
            return Integer.compare(length(), other.length());
        }
    }

    /**
     * Creates a merge of logs that have {@code size} events in all.
     *
     * @throws OutOfMemoryError if there are more than an array can hold
     */
    Merge(long size) {
        times = new long[Sizes.arrayLength(size)];
    }

    /** Copies the times of {@code log}. */
    @Override
    public void visit(EventLog log) {
        int start = copied;
        log.copyTo(times, start);
        copied += (int) log.size();
        if (lastRun < start && start < copied && times[start] - times[start - 1] < 0) {
            runs.add(new Run(times, lastRun, start));
            lastRun = start;
        }
    }

    /** Returns the newest {@code count} of all times, oldest first. To be called once, after all visits. */
    long[] newest(int count) {
        runs.add(new Run(times, lastRun, copied));
        while (runs.size() > 1) {
            Run shortest = runs.remove();
            Run next = runs.remove();
            boolean free = runs.isEmpty() && shortest.times != times && next.times != times;
            runs.add(merge(shortest, next, free ? times : new long[shortest.length() + next.length()]));
        }
        long[] sorted = runs.remove().times;
        return count == sorted.length ? sorted : Arrays.copyOfRange(sorted, sorted.length - count, sorted.length);
    }

    /**
     * Merges two runs into {@code to}.
     *
     * <p>Times of two threads alternate unpredictably, so a branch for each would be mispredicted half of the time; and
     * the position of the next time depends on the run of the last one. So there are no branches, and the runs are
     * merged from both ends alternately, as two chains of dependent instructions that overlap.
     */
    private static Run merge(Run some, Run others, long[] to) {
        long[] left = some.times;
        long[] right = others.times;
        int firstLeft = some.start;
        int firstRight = others.start;
        int lastLeft = some.end - 1;
        int lastRight = others.end - 1;
        int next = 0;
        int last = to.length - 1;
        while (firstLeft < lastLeft && firstRight < lastRight) {
            long older = left[firstLeft];
            long difference = right[firstRight] - older;
            int mask = (int) (difference >> 63); // -1 if the right one is older
            to[next++] = older + (difference & mask);
            firstLeft += 1 + mask;
            firstRight -= mask;

            long newer = right[lastRight];
            difference = newer - left[lastLeft];
            mask = (int) (difference >> 63); // -1 if the left one is newer
            to[last--] = newer - (difference & mask);
            lastLeft += mask;
            lastRight -= 1 + mask;
        }
        while (firstLeft <= lastLeft && firstRight <= lastRight) {
            to[next++] = right[firstRight] - left[firstLeft] < 0 ? right[firstRight++] : left[firstLeft++];
        }
        int rest = lastLeft + 1 - firstLeft;
        System.arraycopy(left, firstLeft, to, next, rest);
        System.arraycopy(right, firstRight, to, next + rest, lastRight + 1 - firstRight);
        return new Run(to, 0, to.length);
    }
}
