package io.github.hotpath.limit;

/**
 * The log of grants: entries of a time, the permits at that time and the calls that acquired them, oldest first. An
 * entry is found by its position. Not thread-safe.
 */
class PermitLog extends PermitChunks {
    /*
     * A reservation that is cancelled leaves an entry of no permits, since others are found by their positions. Those
     * that are the newest are removed at once; when there are more of them than of others, compact() assigns new
     * positions to the rest. So they take at most as much memory as the others.
     */

    /** Up to so many cancelled entries stay however few others there are. */
    private static final int FEW = 8;

    /** How many entries have no permits, since they have been cancelled. */
    private int cancelled;

    PermitLog(boolean countsCalls) {
        super(countsCalls);
    }

    /** Returns the sum of a column over all entries. */
    final long sum(int column) {
        long sum = 0;
        for (long at = head(); at != tail(); at++) {
            sum += value(at, column);
        }
        return sum;
    }

    /** Returns the position of the entry, from {@code from} on, with which a column adds up to {@code enough}. */
    final long reach(long enough, long from, int column) {
        long missing = enough;
        long at = from;
        while (true) {
            if (isBlock(at) && blockSum(at, column) < missing) {
                missing -= blockSum(at, column);
                at += LONGEST;
            } else {
                missing -= value(at, column);
                if (missing <= 0) {
                    return at;
                }
                at++;
            }
        }
    }

    /** Returns the position of the first entry not earlier than {@code time}. None is later than {@code last}. */
    final long position(long time, long last) {
        long low = head();
        long high = tail();
        while (low < high) {
            long mid = (low + high) >>> 1;
            if (last - time(mid) <= last - time) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        return low;
    }

    /** Adds permits, acquired by one call, at a time not before the newest entry: to that, if it has the same time. */
    final void add(long time, long permits) {
        if (head() != tail() && time(tail() - 1) == time) {
            change(tail() - 1, permits, 1);
        } else {
            append(time, permits, 1);
        }
    }

    /** Adds a permit at a time after the newest entry, as one of many. */
    final void addNext(long time) {
        if (!appendIfOpen(time, 1)) {
            close();
            append(time, 1, 1);
            open();
        }
    }

    /** Removes the entries before {@code newHead}. */
    final void removeBefore(long newHead) {
        if (cancelled != 0) {
            cancelled -= cancelled(newHead);
        }
        dropBefore(newHead);
    }

    /** Removes all entries; {@link #fit} then releases their memory. */
    final void clear() {
        dropAll();
        cancelled = 0;
    }

    /**
     * Counts the entry at {@code at} as cancelled, and removes those of them that are the newest. When there are more
     * of them than of others, the rest gets new positions: then returns {@code true}.
     */
    final boolean cancel(long at) {
        cancelled++;
        removeCancelledNewest();
        if (cancelled > FEW && cancelled > (tail() - head()) / 2) {
            compact();
            return true;
        }
        fit();
        return false;
    }

    private void removeCancelledNewest() {
        while (head() != tail() && value(tail() - 1, PERMITS) == 0) {
            dropNewest();
            cancelled--;
        }
    }

    /** Counts cancelled entries and drops unused chunks, after a call may have failed. */
    final void recount() {
        dropUnused();
        removeCancelledNewest();
        cancelled = cancelled(tail());
    }

    /** Returns how many of the entries before {@code end} have been cancelled. */
    private int cancelled(long end) {
        int count = 0;
        for (long at = head(); at != end; at++) {
            count += value(at, PERMITS) == 0 ? 1 : 0;
        }
        return count;
    }

    private void compact() {
        PermitLog kept = new PermitLog(countsCalls);
        for (long at = head(); at != tail(); at++) {
            if (value(at, PERMITS) != 0) {
                kept.append(time(at), value(at, PERMITS), value(at, CALLS));
            }
        }
        become(kept);
        cancelled = 0;
    }

    /** Throws if an invariant does not hold; for tests. Entries are at most that old at the last. */
    final void checkInvariants(long last, long oldest) {
        checkStorage();
        int without = 0;
        for (long at = head(); at != tail(); at++) {
            check(Long.compareUnsigned(last - time(at), oldest) <= 0, "an entry that has expired");
            check(at == head() || time(at) - time(at - 1) > 0, "entries out of order");
            check(value(at, PERMITS) >= 0, "negative permits");
            boolean dead = value(at, PERMITS) == 0;
            check(!countsCalls || dead == (value(at, CALLS) == 0), "permits without calls, or calls without permits");
            without += dead ? 1 : 0;
        }
        check(without == cancelled, "cancelled is not what the entries say");
        check(head() == tail() || value(tail() - 1, PERMITS) != 0, "the newest is cancelled");
        check(cancelled <= FEW || cancelled <= (tail() - head()) / 2, "too many cancelled");
    }
}
