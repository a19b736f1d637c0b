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
            ends = mergePairs(from, to, ends);
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
    private static int[] mergePairs(long[] from, long[] to, int[] ends) {
        int[] merged = new int[(ends.length + 1) / 2];
        int start = 0;
        for (int i = 0; i < ends.length; i += 2) {
            int end = ends[Math.min(i + 1, ends.length - 1)];
            merge(from, start, ends[i], end, to);
            merged[i / 2] = end;
            start = end;
        }
        return merged;
    }

    /**
     * Merges the runs from {@code start} to {@code middle} and from there to {@code end}.
     *
     * <p>Times of two threads alternate unpredictably, so a branch for each would be mispredicted half of the time; and
     * where the next time is depends on which run the last one was of. So there are no branches, and the runs are merged
     * from both ends at once, which do not wait for each other.
     */
    private static void merge(long[] from, int start, int middle, int end, long[] to) {
        int left = start;
        int right = middle;
        int lastLeft = middle - 1;
        int lastRight = end - 1;
        int next = start;
        int last = end - 1;
        while (left < lastLeft && right < lastRight) {
            long older = from[left];
            long difference = from[right] - older;
            int mask = (int) (difference >> 63); // -1 if the right one is older
            to[next++] = older + (difference & mask);
            left += 1 + mask;
            right -= mask;

            long newer = from[lastRight];
            difference = newer - from[lastLeft];
            mask = (int) (difference >> 63); // -1 if the left one is newer
            to[last--] = newer - (difference & mask);
            lastLeft += mask;
            lastRight -= 1 + mask;
        }
        while (left <= lastLeft && right <= lastRight) {
            to[next++] = from[right] - from[left] < 0 ? from[right++] : from[left++];
        }
        System.arraycopy(from, left, to, next, lastLeft + 1 - left);
        System.arraycopy(from, right, to, next + (lastLeft + 1 - left), lastRight + 1 - right);
    }
}
