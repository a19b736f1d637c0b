package io.github.hotpath.window;

import io.github.hotpath.internal.Arguments;

/** The events of a {@link BoundedEventWindow} by their time, in buckets: an exponential histogram. Not thread-safe. */
final class ExponentialHistogram extends BucketBoundaries {
    /*
     * The time of each event of a bucket is known if the bucket has one event at most (it is where the bucket begins),
     * if it is one nanosecond long, or if it is the newest, for an event later than its beginning begins another one.
     * Such a bucket is exact: wherever a window begins, it is known how many of the bucket's events are in it. So two
     * events or more at one time are followed by an empty bucket, unless the next event is one nanosecond later.
     *
     * Of any other bucket, if a window begins inside it, at least the first event is older and the rest may be in the
     * window or not.
     *
     * All calls and allocations, which can fail, precede the stores that change anything, and there is no call between
     * these: so an error leaves the counts unchanged.
     */

    /** How many events are known to have expired at the latest time, at most {@code earlier[first]}. */
    private long expired;

    ExponentialHistogram(double maxRelativeError) {
        super(maxRelativeError);
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
        int low = first;
        int high = end;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (isOlder(times[mid], at, span)) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return low;
    }

    /** Whether {@code time} is more than {@code span} before {@code at}. Unsigned, for that may be nearly 2^64. */
    private static boolean isOlder(long time, long at, long span) {
        return at - time + Long.MIN_VALUE > span + Long.MIN_VALUE;
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

    /** Removes all events and releases all memory. */
    void clear() {
        removeAll();
        expired = total;
    }

    /**
     * Throws if an invariant does not hold, at the latest time and after so many events out of order; for tests.
     */
    void checkInvariants(long at, long maxAge, double maxRelativeError, long outOfOrder) {
        checkInvariants();
        check(total - expired >= 0, "more expired than there were");
        check(first < end || expired == total, "events without a boundary");
        check(first == end || earlier[first] - expired >= 0, "more expired than are older");
        for (int i = first; i < end; i++) {
            check(!isOlder(times[i], at, maxAge), "a boundary that has expired");
            check(i == end - 1 || isAllowed(i, maxRelativeError, outOfOrder), "a bucket that is too large");
        }
    }

    private boolean isAllowed(int i, double maxRelativeError, long outOfOrder) {
        long events = earlier[i + 1] - earlier[i];
        return events <= 1
                || times[i + 1] - times[i] == 1
                || events - outOfOrder <= maxRelativeError * (total - earlier[i + 1]);
    }
}
