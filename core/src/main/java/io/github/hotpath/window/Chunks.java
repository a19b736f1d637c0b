package io.github.hotpath.window;

import static io.github.hotpath.internal.Times.isOlder;

/** What the chunks of a window have in common: arrays of times in order, oldest first. */
final class Chunks {
    /** The length of the smallest window's chunk. */
    static final int MIN_LENGTH = 8;

    /** The longest chunk: its header and its place in the list cost nothing, and a spare one does not matter. */
    static final int MAX_LENGTH = 1024;

    private Chunks() {}

    /** Returns how long a chunk for {@code size} events is to be, at least twice that; they are less than 512. */
    static int lengthFor(long size) {
        return Math.max(MIN_LENGTH, Integer.highestOneBit((int) size) << 2);
    }

    /**
     * Returns the first index in {@code [from, to)} whose event is within {@code maxAge} at {@code nanos}, or {@code
     * to}.
     */
    static int firstWithin(long[] chunk, int from, int to, long nanos, long maxAge) {
        int low = from;
        int high = to;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (isOlder(chunk[mid], nanos, maxAge)) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return low;
    }
}
