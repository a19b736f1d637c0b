package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/**
 * The sliding-window log of a limiter: the times at which permits were acquired, oldest first, with running sums of the
 * permits and of the calls. Not thread-safe.
 */
final class PermitLog {
    /*
     *   position           head                                          tail
     *                       412    413    414    415    416    417    (418)
     *   time                5.0    8.0    8.5    9.0    12.0   13.0
     *   permits             1      1      4      1      1      2
     *   permits before      70     71     72     76     77     78      80
     *
     * The permits of any range are a difference of two sums. What the sums begin with does not matter, nor that they
     * overflow: differences are right up to 2^63.
     */

    /** The column with the number of permits before each entry. */
    static final int PERMITS = 1;

    /** The column with the number of calls before each entry. */
    static final int CALLS = 2;

    private final LongDeque times = new LongDeque(0);

    /** The column of permits; null while each entry has one. */
    private @Nullable Sums permits;

    /** The column of calls; null while each entry has one. */
    private @Nullable Sums calls;

    /** The sums before the entries from some position on; before an earlier one its position is the sum. */
    private static final class Sums {
        final LongDeque stored;

        /** The sum before the tail. */
        long inAll;

        Sums(LongDeque stored, long inAll) {
            this.stored = stored;
            this.inAll = inAll;
        }

        void add(long its) {
            stored.add(inAll);
            inAll += its;
        }
    }

    long head() {
        return times.head();
    }

    long tail() {
        return times.tail();
    }

    boolean isFull() {
        return times.isFull();
    }

    long time(long at) {
        return times.get(at);
    }

    /** Returns whether the newest entry is at {@code time}. */
    boolean endsAt(long time) {
        return head() != tail() && times.get(tail() - 1) == time;
    }

    /** Returns whether a column is kept, since not each entry has one. */
    boolean hasSums(int column) {
        return sums(column) != null;
    }

    private @Nullable Sums sums(int column) {
        return column == PERMITS ? permits : calls;
    }

    private long before(@Nullable Sums sums, long at) {
        return sums == null || at < sums.stored.head() ? at : at == tail() ? sums.inAll : sums.stored.get(at);
    }

    private long sumFrom(@Nullable Sums sums, long at) {
        return sums == null ? tail() - at : sums.inAll - before(sums, at);
    }

    /** Returns the permits, or the calls, from a position on. */
    long sumFrom(int column, long at) {
        return sumFrom(sums(column), at);
    }

    /** Returns the permits, or the calls, of one entry. */
    long valueOf(int column, long at) {
        Sums sums = sums(column);
        return before(sums, at + 1) - before(sums, at);
    }

    /** Returns the first entry from {@code from} on that is at most {@code ageNanos} old, or the tail. */
    long firstWithin(long from, long at, long ageNanos) {
        return times.firstWithin(from, at, ageNanos);
    }

    /** Returns the first entry from {@code from} on that is followed by at most {@code most} permits, or calls. */
    long firstFollowedBy(long most, int column, long from) {
        Sums sums = sums(column);
        if (sums == null) {
            return Math.max(from, tail() - 1 - most);
        }
        LongDeque stored = sums.stored;
        if (sumFrom(sums, stored.head()) > most) {
            return stored.firstWithin(Math.max(from + 1, stored.head()), sums.inAll, most) - 1;
        }
        long first = sums.inAll - most; // where the sum before a position is the position
        first = first - stored.head() < 0 ? first : stored.head();
        return first - from - 1 > 0 ? first - 1 : from;
    }

    /** Adds an entry, later than the newest one. */
    void append(long time, long itsPermits, long itsCalls) {
        if (itsPermits != 1 || permits != null) {
            permits = stored(permits, tail());
            permits.add(itsPermits);
        }
        if (itsCalls != 1 || calls != null) {
            calls = stored(calls, tail());
            calls.add(itsCalls);
        }
        times.add(time);
    }

    /** Adds to the permits and to the calls of an entry, which then has some of each; less than zero subtracts. */
    void change(long at, long morePermits, long moreCalls) {
        if (morePermits != 0) {
            permits = changed(permits, at, morePermits);
        }
        if (moreCalls != 0) {
            calls = changed(calls, at, moreCalls);
        }
    }

    private Sums changed(@Nullable Sums sums, long at, long more) {
        Sums changed = stored(sums, at + 1);
        changed.stored.addToAll(at + 1, more);
        changed.inAll += more;
        return changed;
    }

    /** Returns a column with the sums from a position on. */
    private Sums stored(@Nullable Sums sums, long from) {
        if (sums != null && sums.stored.head() <= from) {
            return sums;
        }
        if (sums == null) {
            return new Sums(new LongDeque(from, tail()), tail());
        }
        Sums longer = new Sums(new LongDeque(from), before(sums, from));
        for (long at = from; at != tail(); at++) {
            longer.add(before(sums, at + 1) - before(sums, at));
        }
        return longer;
    }

    /** Removes an entry: those behind it move down. */
    void remove(long at) {
        permits = without(permits, at);
        calls = without(calls, at);
        times.remove(at);
    }

    private @Nullable Sums without(@Nullable Sums sums, long at) {
        if (sums == null) {
            return null;
        }
        long its = before(sums, at + 1) - before(sums, at);
        Sums without = stored(sums, at);
        without.stored.remove(at);
        without.stored.addToAll(at, -its);
        without.inAll -= its;
        return without;
    }

    void removeBefore(long newHead) {
        boolean isOtherBlock = (head() ^ newHead) >= LongDeque.LONGEST;
        times.removeBefore(newHead);
        permits = from(permits, isOtherBlock);
        calls = from(calls, isOtherBlock);
    }

    /** Returns a column without the entries before the head, or none if each entry left has one, as far as looked for. */
    private @Nullable Sums from(@Nullable Sums sums, boolean mayHaveOnes) {
        if (sums == null || (mayHaveOnes || head() == tail()) && sumFrom(sums, head()) == tail() - head()) {
            return null;
        }
        if (sums.stored.head() < head()) {
            sums.stored.removeBefore(head());
        }
        return sums;
    }

    /** Returns the times from a position on. */
    long[] timesFrom(long from) {
        long[] copy = new long[Math.toIntExact(tail() - from)];
        times.copyTo(from, copy);
        return copy;
    }

    /** Returns the permits, or the calls, of each entry from a position on; {@code null} if each has one. */
    long @Nullable [] valuesFrom(int column, long from) {
        if (sumFrom(column, from) == tail() - from) {
            return null; // since no entry has none
        }
        long[] values = new long[Math.toIntExact(tail() - from)];
        for (int i = 0; i < values.length; i++) {
            values[i] = valueOf(column, from + i);
        }
        return values;
    }
}
