package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** A limit of a {@link SlidingLog}, and where its window begins in the log. Not thread-safe. */
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
    void moveTo(long lastSlot, PermitLog log) {
        position = log.firstWithin(position, lastSlot, intervalNanos);
    }

    /** Returns the position of the oldest entry in the window at {@code time}, not before the last slot. */
    long firstAt(long time, PermitLog log) {
        return log.firstWithin(position, time, intervalNanos);
    }

    /** Returns how much of the limit is left if the window begins at {@code first}; less than 0 if it is exceeded. */
    long left(long first, PermitLog log) {
        return limit.max() - log.sumFrom(column, first);
    }

    /** Returns the permits that the limit allows in one call at {@code time}, not before the last slot. */
    long available(long time, PermitLog log) {
        long left = Math.max(0, left(firstAt(time, log), log));
        return column == PermitLog.CALLS && left > 0 ? Long.MAX_VALUE : left;
    }

    /**
     * Returns for how long after {@code time}, not before the last slot, the limit does not allow {@code permits}; -1
     * if it allows them at once, {@link Long#MAX_VALUE} if it never does.
     */
    long nanosUntilAllowed(int permits, long time, PermitLog log) {
        long most = limit.max() - needed(permits);
        return most < 0 ? Long.MAX_VALUE : nanosUntilAtMost(most, time, firstAt(time, log), log);
    }

    /**
     * Returns for how long after {@code time}, where the window begins at {@code first}, more than {@code most}, zero or
     * more, of the limit is used; -1 if it is not.
     */
    long nanosUntilAtMost(long most, long time, long first, PermitLog log) {
        if (log.sumFrom(column, first) <= most) {
            return -1;
        }
        long expiring = log.firstFollowedBy(most, column, first);
        return intervalNanos - (time - log.time(expiring));
    }

    /**
     * Returns for how long after the last slot, to which the window was {@linkplain #moveTo moved}, the limit does not
     * allow a single permit, if so many are {@code left} there: 0 or less.
     */
    long nanosUntilOneIsLeft(long left, long lastSlot, PermitLog log) {
        if (limit.max() == 0) {
            return Long.MAX_VALUE;
        }
        return left == 0
                ? intervalNanos - (lastSlot - log.time(position)) // each entry has one or more
                : nanosUntilAtMost(limit.max() - 1, lastSlot, position, log);
    }
}
