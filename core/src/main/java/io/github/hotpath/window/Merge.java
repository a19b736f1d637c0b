package io.github.hotpath.window;

import java.util.Arrays;

/** Reads of events that are spread over several logs. */
final class Merge {
    /** Counts the events of a window that are at most {@code maxAge} old at {@code nanos}. */
    interface Counter<T> {
        long count(T window, long maxAge, long nanos);
    }

    private Merge() {}

    /** Returns {@code size} as the length of an array, if there are arrays of that length. */
    static int arrayLength(long size) {
        if (size > Integer.MAX_VALUE - 8) { // what the JDK's own collections take for the limit of every JVM
            throw new OutOfMemoryError("more events than an array holds: " + size);
        }
        return (int) size;
    }

    /** Sorts {@code times}, none of which is later than {@code latest}, oldest first, and returns the newest {@code count}. */
    static long[] newest(int count, long[] times, long latest) {
        for (int i = 0; i < times.length; i++) {
            times[i] -= latest;
        }
        Arrays.sort(times); // finds the sorted runs that they consist of, and merges them
        for (int i = 0; i < times.length; i++) {
            times[i] += latest;
        }
        return count == times.length ? times : Arrays.copyOfRange(times, times.length - count, times.length);
    }

    /**
     * Returns the age of the event at {@code rank}, counted from the newest, which is 1, by bisection: the least age for
     * which {@code counter} counts that many at {@code latest}.
     */
    static <T> long age(long rank, long maxAge, long latest, T window, Counter<T> counter) {
        long low = 0;
        long high = maxAge;
        while (low < high) {
            long mid = low + high >>> 1;
            if (counter.count(window, mid, latest) >= rank) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        return low;
    }
}
