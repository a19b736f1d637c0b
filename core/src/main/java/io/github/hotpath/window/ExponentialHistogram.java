package io.github.hotpath.window;

import static io.github.hotpath.internal.Times.isOlder;

import io.github.hotpath.internal.Arguments;
import java.util.Arrays;

/** The events of a {@link BoundedEventWindow} by their time, in buckets: an exponential histogram. Not thread-safe. */
final class ExponentialHistogram {
    /*
     * The boundaries between the buckets are stored: a time, and exactly how many events are earlier. So a bucket takes
     * 16 bytes, any count is the difference of two numbers, and to merge two buckets is to drop the boundary between
     * them.
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
     * The time of each event of a bucket is known if the bucket has one event at most (it is where the bucket begins),
     * if it is one nanosecond long, or if it is the newest, for an event later than its beginning begins another one.
     * Such a bucket is exact: wherever a window begins, it is known how many of the bucket's events are in it. So two
     * events or more at one time are followed by an empty bucket, unless the next event is one nanosecond later. Of any
     * other bucket, if a window begins inside it, the first event is older and the rest may be in the window or not.
     */

    /** The least by which the arrays grow. */
    private static final int MIN_GROWTH = 16;

    private static final long[] NONE = {};

    /** The fraction of the newer events that two buckets may merge with: a little less, so that rounding is safe. */
    private final double mergeableFraction;

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

    /** How many events are known to have expired at the latest time, at most {@code earlier[first]}. */
    long expired;

    ExponentialHistogram(double maxRelativeError) {
        mergeableFraction = maxRelativeError * (1 - 0x1p-50);
    }

    /** Returns how many events are at most {@code span} old at {@code at}, at least. */
    long countAtLeast(long at, long span) {
        int next = firstWithin(at, span);
        return next == end ? 0 : total - earlier[next];
    }

    /** Returns how many events are at most {@code span} old at {@code at}, at most. */
    long countAtMost(long at, long span) {
        return total - surelyOlder(firstWithin(at, span), at, span);
    }

    /** Returns the oldest boundary that is at most {@code span} old at {@code at}, or {@link #end}. */
    private int firstWithin(long at, long span) {
        return Chunks.firstWithin(times, first, end, at, span);
    }

    /**
     * Returns how many events are more than {@code span} before {@code at}, at least; {@code next} is the first
     * boundary that is not.
     */
    private long surelyOlder(int next, long at, long span) {
        if (next == end) {
            return total;
        }
        long before = earlier[next];
        if (at - times[next] == span) {
            return before;
        }
        if (next == first) {
            return expired;
        }
        long beforeBucket = earlier[next - 1];
        return beforeBucket == before ? before : beforeBucket + 1; // the bucket begins with an event
    }

    /** Whether an event at {@code nanos} would be earlier than an existing one. */
    boolean isOutOfOrder(long nanos) {
        return first < end && nanos - times[end - 1] < 0;
    }

    /**
     * Adds events at {@code nanos}, which is not {@linkplain #isOutOfOrder out of order}, and removes the events that
     * are more than {@code maxAge} before {@code at}, the new latest time.
     */
    void add(long nanos, long at, long maxAge, int events) {
        int oldest = first;
        while (oldest < end && isOlder(times[oldest], at, maxAge)) {
            oldest++;
        }
        long older = surelyOlder(oldest, at, maxAge);
        checkSum(total - older, events);
        if (times.length - end < 2) {
            makeRoom();
            add(nanos, at, maxAge, events); // with other places
            return;
        }

        int to = end;
        if (oldest == to || nanos != times[to - 1]) {
            if (oldest < to && total - earlier[to - 1] > 1 && nanos - times[to - 1] > 1) {
                times[to] = times[to - 1] + 1;
                earlier[to++] = total;
            }
            times[to] = nanos;
            earlier[to++] = total;
        }
        first = oldest;
        end = to;
        expired = older;
        total += events;
    }

    /**
     * Adds events at {@code nanos}, which is {@linkplain #isOutOfOrder out of order} and within the window. If the
     * bucket there is exact, it is divided, so that all stays exact; otherwise they are added to it.
     */
    void insert(long nanos, int events) {
        checkSum(total - expired, events);
        makeRoom();
        long newest = times[end - 1];
        int next = firstWithin(newest, newest - nanos - 1); // the first that is later than nanos
        long before = next == first ? expired : earlier[next - 1];
        long there = earlier[next] - before;
        boolean exact = there == 0 || there == 1 && next > first;
        boolean atStart = next > first && times[next - 1] == nanos;
        boolean begins = exact && !atStart;
        boolean ends = exact && (events > 1 || atStart && there > 0) && times[next] - nanos > 1;

        int by = (begins ? 1 : 0) + (ends ? 1 : 0);
        for (int i = end - 1; i >= next; i--) {
            times[i + by] = times[i];
            earlier[i + by] = earlier[i] + events;
        }
        if (begins) {
            times[next] = nanos;
            earlier[next] = before + there;
        }
        if (ends) {
            times[next + by - 1] = nanos + 1;
            earlier[next + by - 1] = before + there + events;
        }
        end += by;
        total += events;
    }

    private static void checkSum(long atMost, int events) {
        if (atMost + events < 0) {
            throw Arguments.rejected(
                    "events", events, "at most " + (Long.MAX_VALUE - atMost) + ", for the count to fit a long");
        }
    }

    /** Removes the events that are more than {@code maxAge} before {@code at}, the new latest time. */
    void expire(long at, long maxAge) {
        int oldest = firstWithin(at, maxAge);
        long older = surelyOlder(oldest, at, maxAge);
        first = oldest;
        expired = older;
    }

    void clear() {
        times = NONE;
        earlier = NONE;
        first = 0;
        end = 0;
        expired = total;
    }

    /** Merges all that can be merged, and releases the memory that is not needed then. */
    void release() {
        merge();
        if (first < end) {
            resize(end - first);
        } else {
            clear();
        }
    }

    /*
     * Two adjacent buckets are merged if together they have at most maxRelativeError times the events that are newer
     * than both: docs/why-the-bounds-hold.md has the proof. The first of them must not be empty, or the event with
     * which the result has to begin would be missing.
     *
     * The moment to merge is when the arrays are full. They grow until a pass over them frees a quarter, so a record
     * pays for the passes with four steps.
     */

    /** Ensures that two more boundaries fit behind the newest. */
    private void makeRoom() {
        int length = times.length;
        if (length - end >= 2) {
            return;
        }
        merge();
        int free = length - end;
        if (free < length / 4 + 2) {
            resize(length + length / 16 + MIN_GROWTH);
        } else if (free > 3 * (length / 4) && length > 4 * MIN_GROWTH) {
            resize(length / 2);
        }
    }

    /** Merges adjacent buckets where that is allowed, and moves the rest to the front. */
    private void merge() {
        int to = 0;
        for (int i = first; i < end; i++) {
            if (to == 0
                    || i == end - 1
                    || earlier[i] == earlier[to - 1]
                    || earlier[i + 1] - earlier[to - 1] > mergeableFraction * (total - earlier[i + 1])) {
                times[to] = times[i];
                earlier[to++] = earlier[i];
            }
        }
        first = 0;
        end = to;
    }

    private void resize(int length) {
        times = Arrays.copyOfRange(times, first, first + length);
        earlier = Arrays.copyOfRange(earlier, first, first + length);
        end -= first;
        first = 0;
    }
}
