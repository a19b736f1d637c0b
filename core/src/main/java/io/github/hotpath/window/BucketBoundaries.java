package io.github.hotpath.window;

/** The boundaries between the buckets of an {@link ExponentialHistogram}, in two arrays. Not thread-safe. */
class BucketBoundaries {
    /*
     * A boundary is a time, and exactly how many events are earlier. So a bucket takes 16 bytes, any count is the
     * difference of two numbers, and to merge two buckets is to drop the boundary between them.
     *
     *     times           t0         t1   t2            t3
     *                     |x  x x    |    |x            |x
     *     ----------------+----------+----+-------------+-----> time
     *     earlier         7          10   10            11      total 12
     *
     * A bucket begins at its boundary and ends before the next one. Unless it is empty, as [t1, t2) is, it has an event
     * at the very time at which it begins. The number of events runs over all events ever added, modulo 2^64; only
     * differences are used.
     *
     * Two adjacent buckets are merged if together they have at most maxRelativeError times the events that are newer
     * than both: docs/design.md has the proof of the bounds. The first of them must not be empty, or the event with
     * which the result has to begin would be missing.
     *
     * The moment to merge is when the arrays are full: from some boundary on to the newest. How far back that is
     * follows the ruler sequence (1, 2, 1, 4, 1, 2, 1, 8, ... times four times the events since the last time).
     * Adjacent buckets become mergeable as the number of newer events grows, which takes longer for older ones.
     *
     * A method that moves boundaries calls nothing while it does, and one that allocates does that first: so an error
     * leaves all of them in place.
     */

    /** The least by which the arrays grow. */
    private static final int MIN_GROWTH = 16;

    private static final long[] NONE = {};

    /** The share of the newer events that two buckets may merge with: less than allowed, so that rounding is safe. */
    private final double share;

    /** When each bucket begins, oldest first, from {@link #first} to {@link #end}: strictly ascending. */
    long[] times = NONE;

    /** How many events are earlier than that, in an array as long as {@link #times}: never descending. */
    long[] earlier = NONE;

    /** The oldest boundary. */
    int first;

    /** One past the newest boundary; {@code first} if there is none. */
    int end;

    /** How many events there are, those before the oldest boundary included: more than {@code earlier[end - 1]}. */
    long total;

    /** The value of {@link #total} when buckets were last merged. */
    private long mergedTotal;

    /** How often buckets were merged. */
    private int merges;

    BucketBoundaries(double maxRelativeError) {
        share = maxRelativeError * (1 - 0x1p-50);
    }

    /** Ensures that two more boundaries fit behind the newest. */
    final void makeRoom() {
        if (times.length - end >= 2) {
            return;
        }
        int length = times.length;
        int enough = length / 8 + 2;
        boolean all = free() < enough && mergeNewer(enough);
        if (all && free() < 2 * enough) {
            resize(length + length / 16 + MIN_GROWTH);
        } else if (free() > 3 * (length / 4) && length > 4 * MIN_GROWTH) {
            resize(length / 2);
        } else {
            moveToFront();
        }
    }

    private int free() {
        return times.length - (end - first);
    }

    /** Merges newer buckets, and if that frees fewer than {@code enough} places, all; returns whether all. */
    private boolean mergeNewer(int enough) {
        int from = firstToMerge(2 + Integer.numberOfTrailingZeros(++merges));
        mergedTotal = total;
        merge(from, end - 1);
        if (from == first || free() >= enough) {
            return from == first;
        }
        merge(first, Math.min(from + 1, end - 1));
        return true;
    }

    /**
     * Returns the oldest boundary with at most 2^shift times as many newer events as were added since buckets were
     * merged.
     */
    private int firstToMerge(int shift) {
        int low = first;
        int high = end;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if ((total - earlier[mid]) >> shift > total - mergedTotal) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return low;
    }

    /** Merges adjacent buckets where that is allowed, between two boundaries, which stay. */
    private void merge(int from, int to) {
        int dropped = 0;
        for (int i = from + 1; i < end; i++) {
            long begin = earlier[i - 1 - dropped];
            if (i < to && earlier[i] != begin && earlier[i + 1] - begin <= share * (total - earlier[i + 1])) {
                dropped++;
            } else {
                times[i - dropped] = times[i];
                earlier[i - dropped] = earlier[i];
            }
        }
        end -= dropped;
    }

    private void moveToFront() {
        int by = first;
        for (int i = by; i < end; i++) {
            times[i - by] = times[i];
            earlier[i - by] = earlier[i];
        }
        first = 0;
        end -= by;
    }

    private void resize(int length) {
        int size = end - first;
        long[] newTimes = new long[length];
        long[] newEarlier = new long[length];
        System.arraycopy(times, first, newTimes, 0, size);
        System.arraycopy(earlier, first, newEarlier, 0, size);
        times = newTimes;
        earlier = newEarlier;
        first = 0;
        end = size;
    }

    /** Merges all that can be merged, and releases the memory that is not needed then. */
    final void release() {
        merge(first, end - 1);
        if (first < end) {
            resize(end - first);
        } else {
            removeAll();
        }
    }

    /** Removes all boundaries and releases all memory. */
    final void removeAll() {
        times = NONE;
        earlier = NONE;
        first = 0;
        end = 0;
    }

    /** Throws if an invariant does not hold; for tests. */
    void checkInvariants() {
        check(first >= 0 && first <= end && end <= times.length, "first or end outside the arrays");
        check(earlier.length == times.length, "arrays of different lengths");
        for (int i = first + 1; i < end; i++) {
            check(times[i] - times[i - 1] > 0, "boundaries out of order");
            check(earlier[i] - earlier[i - 1] >= 0, "a bucket of fewer than no events");
        }
        check(first == end || total - earlier[end - 1] > 0, "a newest bucket without an event");
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
