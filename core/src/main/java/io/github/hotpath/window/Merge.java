package io.github.hotpath.window;

import io.github.hotpath.internal.Sizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/** Copies the times of several sorted logs, and puts them in order. Not thread-safe. */
final class Merge implements EventLog.Visitor {
    /*
     * The times of the longest log are copied into the result, with room before and behind them, and those of the others
     * into a second array, each a sorted run. The runs of the second array are merged two at a time, always the two
     * shortest, as in Huffman's code. The last merge, into the result, is made in place: a time of the longest log is
     * moved to where there was room, or where another has been moved away.
     */

    /** The logs with events. */
    private final List<EventLog> logs = new ArrayList<>();

    /** The result: first the times of the longest log, with room for half of the others on either side. */
    private long[] times = {};

    /** The index in {@link #times} of the longest log's oldest time. */
    private int start;

    /** The sorted runs of the other logs that have not been merged, the shortest first. */
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

    @Override
    public void visit(EventLog log) {
        if (log.size() > 0) {
            logs.add(log);
        }
    }

    /**
     * Copies the times of all logs visited. They may change from then on.
     *
     * @throws OutOfMemoryError if there are more than an array can hold
     */
    void copy() {
        long size = 0;
        EventLog longest = null;
        for (EventLog log : logs) {
            size += log.size();
            longest = longest == null || log.size() > longest.size() ? log : longest;
        }
        if (longest == null) {
            return;
        }
        long[] result = new long[Sizes.arrayLength(size)];
        long[] others = new long[(int) (size - longest.size())];
        start = others.length / 2;
        longest.copyTo(result, start);
        int copied = 0;
        for (EventLog log : logs) {
            if (log != longest) {
                log.copyTo(others, copied);
                int end = copied + (int) log.size();
                runs.add(new Run(others, copied, end));
                copied = end;
            }
        }
        times = result;
    }

    /** Returns the newest {@code count} of all times, oldest first. To be called once, after {@link #copy}. */
    long[] newest(int count) {
        while (runs.size() > 1) {
            Run shortest = runs.remove();
            Run next = runs.remove();
            Run merged = new Run(new long[shortest.length() + next.length()], 0, shortest.length() + next.length());
            System.arraycopy(next.times, next.start, merged.times, shortest.length() / 2, next.length());
            merge(merged.times, shortest.length() / 2, shortest);
            runs.add(merged);
        }
        if (!runs.isEmpty()) {
            merge(times, start, runs.remove());
        }
        return count == times.length ? times : Arrays.copyOfRange(times, times.length - count, times.length);
    }

    /**
     * Merges the times of {@code others} with those that are already in {@code times}, from {@code start} on: as many as
     * are missing there.
     *
     * <p>Times of two threads alternate unpredictably, so a branch for each would be mispredicted half of the time; and
     * the position of the next time depends on the run of the last one. So there are no branches, and the runs are
     * merged from both ends alternately, as two chains of dependent instructions that overlap, until the room on one
     * side is used up.
     */
    private static void merge(long[] times, int start, Run others) {
        long[] right = others.times;
        int firstRight = others.start;
        int lastRight = others.end - 1;
        int firstLeft = start;
        int lastLeft = start + times.length - others.length() - 1;
        int next = 0;
        int last = times.length - 1;
        while (next < firstLeft && lastLeft < last && firstLeft < lastLeft && firstRight < lastRight) {
            long older = times[firstLeft];
            long difference = right[firstRight] - older;
            int mask = (int) (difference >> 63); // -1 if the right one is older
            times[next++] = older + (difference & mask);
            firstLeft += 1 + mask;
            firstRight -= mask;

            long newer = right[lastRight];
            difference = newer - times[lastLeft];
            mask = (int) (difference >> 63); // -1 if the left one is newer
            times[last--] = newer - (difference & mask);
            lastLeft += mask;
            lastRight -= 1 + mask;
        }
        // The rest from the newest on: with all the room behind the left ones.
        int left = lastLeft + 1 - firstLeft;
        System.arraycopy(times, firstLeft, times, next, left);
        lastLeft = next + left - 1;
        while (next <= lastLeft && firstRight <= lastRight) {
            long newer = right[lastRight];
            long difference = newer - times[lastLeft];
            int mask = (int) (difference >> 63);
            times[last--] = newer - (difference & mask);
            lastLeft += mask;
            lastRight -= 1 + mask;
        }
        System.arraycopy(right, firstRight, times, next, lastRight + 1 - firstRight);
    }
}
