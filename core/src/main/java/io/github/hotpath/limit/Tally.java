package io.github.hotpath.limit;

import static io.github.hotpath.limit.PermitLog.CALLS;
import static io.github.hotpath.limit.PermitLog.LONGEST;
import static io.github.hotpath.limit.PermitLog.PERMITS;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A limit, and how much of it is used at some time: the sum of the entries in its window. Not thread-safe. */
final class Tally {
    /*
     * The cursor moves both ways, so the sum can be computed for any time at which the log still has all entries that
     * count, in as many steps as there are entries between, or one for each 1024 of them. A call that changes nothing
     * may move it.
     */

    private final long permits;
    private final long intervalNanos;

    /** The column that counts: permits, or calls. */
    private final int column;

    /** The tally of the limit given after this one. */
    final @Nullable Tally next;

    /** In the first one: the call that is made with the lock held. Stored here because it takes no memory here. */
    @Nullable
    Object call;

    /** The position of the oldest entry in the window, or the tail of the log. */
    private long cursor;

    /** The sum of the column from the cursor to the tail. */
    private long sum;

    Tally(Limit limit, @Nullable Tally next) {
        this.permits = limit.permits();
        this.intervalNanos = limit.interval().toNanos();
        this.column = limit.perCall() ? CALLS : PERMITS;
        this.next = next;
    }

    Limit limit() {
        return new Limit(permits, Duration.ofNanos(intervalNanos), column == CALLS);
    }

    long intervalNanos() {
        return intervalNanos;
    }

    long cursor() {
        return cursor;
    }

    long sum() {
        return sum;
    }

    /** Moves the window to {@code time}, not before the newest entry. */
    void moveTo(long time, PermitLog log) {
        long at = cursor;
        if (at != log.tail() && isExpired(log.time(at), time)) {
            long left = sum - log.value(at, column);
            at++;
            if (at != log.tail() && isExpired(log.time(at), time)) {
                moveForward(time, log);
            } else {
                cursor = at;
                sum = left;
            }
        } else if (at != log.head() && !isExpired(log.time(at - 1), time)) {
            moveBack(time, log);
        }
    }

    private void moveForward(long time, PermitLog log) {
        long at = cursor;
        long left = sum;
        while (at != log.tail() && isExpired(log.time(at), time)) {
            if (log.isBlock(at) && isExpired(log.time(at + LONGEST - 1), time)) {
                left -= log.blockSum(at, column);
                at += LONGEST;
            } else {
                left -= log.value(at, column);
                at++;
            }
        }
        cursor = at;
        sum = left;
    }

    private void moveBack(long time, PermitLog log) {
        long at = cursor;
        long left = sum;
        while (at != log.head() && !isExpired(log.time(at - 1), time)) {
            long block = at - LONGEST;
            if (block >= log.head() && log.isBlock(block) && !isExpired(log.time(block), time)) {
                left += log.blockSum(block, column);
                at = block;
            } else {
                at--;
                left += log.value(at, column);
            }
        }
        cursor = at;
        sum = left;
    }

    /** Whether an entry, not later than {@code at}, has expired then. Unsigned: it may be more than 2^63 ns old. */
    private boolean isExpired(long time, long at) {
        return at - time + Long.MIN_VALUE > intervalNanos + Long.MIN_VALUE;
    }

    private long needed(int acquired) {
        return column == CALLS ? 1 : acquired;
    }

    /** Whether {@code acquired} permits can ever be acquired at once. */
    boolean canAllow(int acquired) {
        return needed(acquired) <= permits;
    }

    /** Whether there is room for {@code acquired} permits at the time that the window is at. */
    boolean allows(int acquired) {
        return needed(acquired) <= permits - sum;
    }

    /**
     * Whether there is room for {@code acquired} permits and one more, even if nothing has expired since the last move.
     */
    boolean allowsOneMore(int acquired) {
        return needed(acquired) < permits - sum;
    }

    /**
     * Returns how many nanoseconds after {@code time}, which the window is at, there is still no room for {@code
     * acquired} permits, which can be allowed; -1 if there is room at once.
     */
    long refusedFor(int acquired, long time, PermitLog log) {
        long excess = needed(acquired) - (permits - sum);
        if (excess <= 0) {
            return -1;
        }
        return intervalNanos - (time - log.time(log.reach(excess, cursor, column)));
    }

    /** Returns how many permits there is room for at the time that the window is at. */
    long available() {
        long left = Math.max(0, permits - sum);
        return column == CALLS && left > 0 ? Long.MAX_VALUE : left;
    }

    /** Counts permits, acquired by one call, that have been added at the tail; returns whether one more is allowed. */
    boolean add(int acquired) {
        sum += needed(acquired);
        return sum < permits;
    }

    /** Adds to the sum if the entry at {@code at}, which has been changed by that, is in the window. */
    void change(long at, long permits, long calls) {
        if (at >= cursor) {
            sum += column == CALLS ? calls : permits;
        }
    }

    /** Computes the sum anew, with all entries in the window. */
    void reset(PermitLog log) {
        cursor = log.head();
        sum = log.sum(column);
    }

    /** Moves the cursor back to the tail, when the entries behind it have been removed. */
    void clampTo(long tail) {
        cursor = Math.min(cursor, tail);
    }

    /** Throws if the sum is not that of the entries in the window; for tests. */
    void checkInvariants(PermitLog log) {
        long expected = 0;
        for (long at = cursor; at != log.tail(); at++) {
            expected += log.value(at, column);
        }
        if (cursor < log.head() || cursor > log.tail() || sum != expected) {
            throw new AssertionError("sum is not what the entries from the cursor on add up to");
        }
    }
}
