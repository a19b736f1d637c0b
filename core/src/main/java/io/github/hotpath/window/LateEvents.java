package io.github.hotpath.window;

import static io.github.hotpath.internal.Invariants.check;
import static io.github.hotpath.internal.Times.isOlder;

import java.util.Arrays;

/**
 * The out-of-order events of a window that are too far behind its log to be inserted there: several sorted logs. Not
 * thread-safe.
 */
final class LateEvents {
    /*
     * A count does not depend on which log an event is in. So events in order from a source behind the others (a
     * lagging partition, a replay) are appended to a log of their own, and move no later events.
     *
     * An event is appended to the log with the latest newest event that is not later than it: that is patience sorting,
     * which needs no more logs than there are sorted sources (Aldous and Diaconis, Longest increasing subsequences,
     * 1999). With eight logs, one of which is the window's own, the next source out of order is inserted instead. A
     * snapshot may have more, one for each stripe.
     */

    /** The most logs: each costs a step in every count. */
    private static final int MAX_LOGS = 7;

    /** At least one; an empty one is used again. */
    private EventLog[] logs = {new EventLog()};

    long size() {
        long size = 0;
        for (EventLog log : logs) {
            size += log.size();
        }
        return size;
    }

    /** Adds an event at {@code nanos}, which is within {@code maxAge} at {@code latest}, as all that are to be kept. */
    void add(long nanos, long latest, long maxAge) {
        EventLog chosen = null;
        for (EventLog log : logs) {
            if (takes(log, nanos, latest) && (chosen == null || isAhead(log, chosen, latest))) {
                chosen = log;
            }
        }
        if (chosen != null) {
            chosen.add(nanos, maxAge);
        } else if (!insertNearTail(nanos, latest)) {
            addOrInsert(nanos, latest, maxAge);
        }
    }

    /** Returns whether no event of {@code log} is later than {@code nanos}. */
    private static boolean takes(EventLog log, long nanos, long latest) {
        return log.size() == 0 || !isOlder(nanos, latest, latest - log.newest());
    }

    /** Returns whether the newest event of {@code log} is later than that of {@code other}. */
    private static boolean isAhead(EventLog log, EventLog other, long latest) {
        return log.size() > 0 && (other.size() == 0 || isOlder(other.newest(), latest, latest - log.newest()));
    }

    private boolean insertNearTail(long nanos, long latest) {
        for (EventLog log : logs) {
            if (log.isNearTail(latest, latest - nanos)) {
                insert(log, nanos, latest);
                return true;
            }
        }
        return false;
    }

    private void addOrInsert(long nanos, long latest, long maxAge) {
        if (logs.length < MAX_LOGS) {
            EventLog log = new EventLog();
            log.add(nanos, maxAge);
            EventLog[] more = Arrays.copyOf(logs, logs.length + 1);
            more[logs.length] = log;
            logs = more;
        } else {
            EventLog hindmost = logs[0]; // where the fewest events move
            for (EventLog log : logs) {
                hindmost = isAhead(log, hindmost, latest) ? hindmost : log;
            }
            insert(hindmost, nanos, latest);
        }
    }

    private static void insert(EventLog log, long nanos, long latest) {
        log.insert(nanos, log.count(latest, latest - nanos - 1));
    }

    /** Returns how many events are within {@code maxAge} at {@code nanos}. */
    long count(long nanos, long maxAge) {
        long count = 0;
        for (EventLog log : logs) {
            count += log.count(nanos, maxAge);
        }
        return count;
    }

    /** Removes the events that are older than {@code maxAge} at {@code nanos}. */
    void expire(long nanos, long maxAge) {
        for (EventLog log : logs) {
            log.expire(nanos, maxAge);
        }
    }

    void release() {
        for (EventLog log : logs) {
            log.release();
        }
    }

    /** Returns the logs, not to be changed. */
    EventLog[] logs() {
        return logs;
    }

    /** Adds a copy of {@code source} to the logs, however many there are. */
    void addCopy(EventLog source) {
        EventLog copy = logs[logs.length - 1];
        if (copy.size() > 0) {
            copy = new EventLog();
            logs = Arrays.copyOf(logs, logs.length + 1);
            logs[logs.length - 1] = copy;
        }
        source.copyTo(copy);
    }

    /** Copies the times, log by log, to {@code times} from the index {@code from} on. */
    void copyTo(long[] times, int from) {
        int to = from;
        for (EventLog log : logs) {
            log.copyTo(times, to);
            to += (int) log.size();
        }
    }

    void checkInvariants() {
        check(logs.length > 0, "no log of late events");
        for (EventLog log : logs) {
            log.checkInvariants();
        }
    }
}
