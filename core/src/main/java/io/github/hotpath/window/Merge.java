package io.github.hotpath.window;

import java.util.Arrays;

/** Puts the times of several sorted logs in order. */
final class Merge {
    private Merge() {}

    /**
     * Sorts {@code times}, which is a few sorted runs one after another and has no time later than {@code latest}, oldest
     * first, and returns the newest {@code count}. May change {@code times}.
     */
    static long[] newest(int count, long[] times, long latest) {
        long[] from = times;
        int[] ends = runEnds(times, latest);
        long[] to = ends.length > 1 ? new long[times.length] : times;
        while (ends.length > 1) {
            ends = mergePairs(from, to, ends, latest);
            long[] merged = to;
            to = from;
            from = merged;
        }
        return count == from.length ? from : Arrays.copyOfRange(from, from.length - count, from.length);
    }

    /** Returns the index behind the last time of each sorted run. */
    private static int[] runEnds(long[] times, long latest) {
        int[] ends = new int[8];
        int runs = 0;
        for (int i = 1; i <= times.length; i++) {
            if (i == times.length || times[i] - latest < times[i - 1] - latest) {
                ends = runs == ends.length ? Arrays.copyOf(ends, 2 * runs) : ends;
                ends[runs++] = i;
            }
        }
        return Arrays.copyOf(ends, runs);
    }

    /** Merges each two neighbouring runs of {@code from} into one of {@code to}, and returns the ends of these. */
    private static int[] mergePairs(long[] from, long[] to, int[] ends, long latest) {
        int[] merged = new int[(ends.length + 1) / 2];
        int start = 0;
        for (int i = 0; i < ends.length; i += 2) {
            int end = ends[Math.min(i + 1, ends.length - 1)];
            merge(from, start, ends[i], end, to, latest);
            merged[i / 2] = end;
            start = end;
        }
        return merged;
    }

    /** Merges the runs from {@code start} to {@code middle} and from there to {@code end}. */
    private static void merge(long[] from, int start, int middle, int end, long[] to, long latest) {
        int left = start;
        int right = middle;
        int next = start;
        while (left < middle && right < end) {
            long older = from[left];
            long newer = from[right];
            boolean inOrder = older - latest <= newer - latest;
            to[next++] = inOrder ? older : newer; // no branch: times of two threads alternate unpredictably
            left += inOrder ? 1 : 0;
            right += inOrder ? 0 : 1;
        }
        System.arraycopy(from, left, to, next, middle - left);
        System.arraycopy(from, right, to, next + middle - left, end - right);
    }
}
