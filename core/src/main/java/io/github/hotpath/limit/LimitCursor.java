package io.github.hotpath.limit;

import io.github.hotpath.internal.Times;
import org.jspecify.annotations.Nullable;

/** A limit of a {@link SlidingLog}, and where its window begins in the entries. Not thread-safe. */
final class LimitCursor {
    final Limit limit;

    /** The limit's interval, which would have to be converted each time. */
    final long intervalNanos;

    /** The column of the log that the limit bounds. */
    private final int column;

    /** The cursor of the limit given after this one. */
    final @Nullable LimitCursor next;

    /**
     * The position of the oldest entry in the window at the last slot, or an earlier one: what is before it has expired
     * there for this limit.
     */
    long position;

    LimitCursor(Limit limit, long position, @Nullable LimitCursor next) {
        this.limit = limit;
        this.intervalNanos = limit.interval().toNanos();
        this.column = limit.isPerCall() ? PermitLog.CALLS : PermitLog.PERMITS;
        this.next = next;
        this.position = position;
    }

    /** Returns how much of the limit {@code permits} of one call use. */
    long needed(int permits) {
        return column == PermitLog.CALLS ? 1 : permits;
    }

    /** Moves the window to the last slot. */
    void moveTo(long lastSlot, PermitLog entries) {
        position = firstAt(lastSlot, entries);
    }

    /** Returns the position of the oldest entry in the window at {@code time}, not before the last slot. */
    long firstAt(long time, PermitLog entries) {
        return entries.firstWithin(position, time, intervalNanos);
    }

    /** Returns how much of the limit is left if the window begins at {@code first}; less than 0 if it is exceeded. */
    long left(long first, PermitLog entries) {
        return limit.max() - entries.sumFrom(column, first);
    }

    /** Returns the permits that the limit allows in one call at {@code time}, not before the last slot. */
    long available(long time, PermitLog entries) {
        long left = Math.max(0, left(firstAt(time, entries), entries));
        return column == PermitLog.CALLS && left > 0 ? Long.MAX_VALUE : left;
    }

    /**
     * Returns for how long after {@code time}, not before the last slot, the limit does not allow {@code permits}; -1
     * if it allows them at once, {@link Long#MAX_VALUE} if it never does.
     */
    long nanosUntilAllowed(int permits, long time, PermitLog entries) {
        long most = limit.max() - needed(permits);
        return most < 0 ? Long.MAX_VALUE : nanosUntilAtMost(most, time, entries);
    }

    /** Returns for how long after the last slot the limit refuses a single permit; less than 0 if it does not. */
    long nanosUntilOneIsLeft(long lastSlot, PermitLog entries) {
        long max = limit.max();
        if (entries.sumFrom(column, position) < max) {
            return -1;
        }
        if (max == 0) {
            return Long.MAX_VALUE;
        }
        if (entries.hasSums(column)) {
            moveTo(lastSlot, entries); // or the search below is long
            long left = left(position, entries);
            if (left != 0) {
                return left > 0 ? -1 : nanosUntilAtMost(max - 1, lastSlot, entries);
            }
        }
        // The entry after which one less follows: the first one, if some have several permits, or calls.
        long expiring = entries.hasSums(column) ? position : entries.tail() - max;
        return intervalNanos - (lastSlot - entries.time(expiring));
    }

    /**
     * Returns for how long after {@code time}, not before the last slot, more than {@code most}, zero or more, of the
     * limit is used; -1 if it is not. It looks for no window: it is the entry after which so much follows that has to
     * expire.
     */
    long nanosUntilAtMost(long most, long time, PermitLog entries) {
        if (entries.sumFrom(column, position) <= most) {
            return -1;
        }
        long expiring = entries.time(entries.firstFollowedBy(most, column, position));
        return Times.isOlder(expiring, time, intervalNanos) ? -1 : intervalNanos - (time - expiring);
    }
}
