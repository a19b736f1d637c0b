package io.github.hotpath.window;

import static io.github.hotpath.internal.Times.isOlder;

/** Rules for the chunks of an {@link EventLog}: their lengths, and the search for an event by its age. */
final class Chunks {
    /** The shortest chunk: the storage of the smallest window. */
    static final int MIN_LENGTH = 8;

    /** The longest chunk: its header and its place in the deque cost nothing, and a spare one does not matter. */
    static final int MAX_LENGTH = 1024;

    /** Up to this length a chunk is kept however few events are left: uneven traffic would make it grow again. */
    static final int SMALL = 4 * MIN_LENGTH;

    private Chunks() {}

    /**
     * Returns the length of a new chunk in a log of {@code size} events: the next power of two greater than twice that,
     * within the bounds. So only the oldest chunks of a log are shorter than {@link #MAX_LENGTH}.
     */
    static int lengthFor(long size) {
        if (size < MIN_LENGTH / 2) {
            return MIN_LENGTH;
        }
        return size >= MAX_LENGTH / 2 ? MAX_LENGTH : Integer.highestOneBit((int) size) << 2;
    }

    /** Returns whether a log of {@code size} events should move out of chunks of {@code length} in all. */
    static boolean isSparse(long size, int length) {
        return length > SMALL && size < length / 8;
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

    /**
     * Returns the index of the first of some full chunks, oldest first, whose newest event is within {@code maxAge} at
     * {@code nanos}; the newest event of the last one is.
     */
    static int firstChunkWithin(Object[] chunks, long nanos, long maxAge) {
        int low = 0;
        int high = chunks.length - 1;
        while (low < high) {
            int mid = (low + high) >>> 1;
            long[] chunk = (long[]) chunks[mid];
            if (isOlder(chunk[chunk.length - 1], nanos, maxAge)) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return low;
    }
}
