package io.github.hotpath.window;

/**
 * What holds for each chunk of an {@link EventLog}: how long it should be, and how to find an event in it by its age.
 */
final class Chunks {
    /** The shortest chunk: what the smallest window keeps. */
    static final int MIN_LENGTH = 8;

    /**
     * The longest chunk: so long that its header and its place in the deque cost nothing, so short that a spare one
     * does not matter.
     */
    static final int MAX_LENGTH = 1024;

    /**
     * The room that a log keeps however few events are left: uneven traffic would make it shrink and grow again and
     * again.
     */
    static final int SMALL = 4 * MIN_LENGTH;

    private Chunks() {}

    /**
     * Returns how long a new chunk is in a log of {@code size} events: the next power of two over twice that, in
     * bounds.
     */
    static int lengthFor(long size) {
        if (size < MIN_LENGTH / 2) {
            return MIN_LENGTH;
        }
        return size >= MAX_LENGTH / 2 ? MAX_LENGTH : Integer.highestOneBit((int) size) << 2;
    }

    /** Whether a log of {@code size} events should move out of chunks of together {@code room}. */
    static boolean isSparse(long size, int room) {
        return room > SMALL && size < room / 8;
    }

    /**
     * Returns the first place from {@code from} to {@code to} whose event is within {@code maxAge}; {@code to} if none.
     */
    static int firstWithin(long[] chunk, int from, int to, long asOf, long maxAge) {
        int low = from;
        int high = to;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (isWithin(chunk[mid], asOf, maxAge)) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        return low;
    }

    /**
     * Whether an event at {@code nanos} is at most {@code maxAge} old. Unsigned, because a question may be asked nearly
     * 2^63 ns after now, and an event be nearly as much before it.
     */
    static boolean isWithin(long nanos, long asOf, long maxAge) {
        return asOf - nanos + Long.MIN_VALUE <= maxAge + Long.MIN_VALUE; // compareUnsigned is slower before JDK 20
    }
}
