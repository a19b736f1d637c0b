package io.github.hotpath.limit;

import io.github.hotpath.internal.Times;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key of a {@link KeyTable}, and the gate for its requests. */
final class KeyedEntry<K> extends Gate {
    /*
     * Each update of the limits has a number, and asks for them once. Answers may come in any order: one is set if its
     * number is later than that of the answer in force, so it was asked for after all updates up to its number began.
     */

    final K key;

    /** In which it is the entry of its key, until it is retired. */
    final Epoch epoch;

    /** The adjacent entries in the {@link Rotation}, guarded by its lock; {@code null} if this one is not in it. */
    @Nullable
    KeyedEntry<K> next;

    @Nullable
    KeyedEntry<K> previous;

    /**
     * A time at which permits have been acquired that nothing can take back, the latest one that is known, if any is.
     * It is written and read without any lock, so it may be an earlier one than it should be. If it is read in two
     * halves, on a JVM of 32 bits, it may be up to 4.3 s later than it should be, which delays an eviction.
     */
    private long lastGrant;

    private boolean hasLastGrant;

    /** For so long after {@link #lastGrant} the gate is certainly not idle; less than 0 if it has no limits. */
    private long busyNanos;

    /** How many updates of the limits have begun. Guarded by the monitor of this. */
    private int updates;

    /** The update whose answer is in force; -1 if the limits are not known. Written with the lock held. */
    private int answered = -1;

    /** How many calls use this that have found it fresh. Written with the monitor of this held. */
    private volatile int users;

    /** Whether a call that has found it fresh could not end as it should. Then it is evicted although it is fresh. */
    boolean isAbandoned;

    /**
     * Creates an entry to which nothing has happened.
     *
     * @param limits {@code null} if they are not known
     */
    KeyedEntry(K key, Epoch epoch, @Nullable List<Limit> limits) {
        super(new SlidingLog(limits == null ? List.of() : limits), FRESH);
        this.key = key;
        this.epoch = epoch;
        if (limits != null) {
            answered = 0;
        }
        setBusyNanos(limits == null ? List.of() : limits);
    }

    private void setBusyNanos(List<Limit> limits) {
        busyNanos = limits.isEmpty() ? -1 : log.longestNanos();
    }

    @Override
    boolean isCurrent() {
        return state != RETIRED && epoch.isCurrent();
    }

    /** The latest time of a key is the eviction time, until something happens. */
    @Override
    void begin() {
        if (epoch.hasEvicted) {
            log.startAt(epoch.evictedAt);
        }
    }

    /** Notes that a call uses this, which it has found fresh: until it ends, no other call removes it. */
    synchronized void enter() {
        users++;
    }

    /** Notes that such a call ends. */
    synchronized void leave() {
        users--;
    }

    boolean isUsed() {
        return users > 0;
    }

    boolean hasLimits() {
        return answered >= 0;
    }

    /** Begins an update of the limits, and returns its number. */
    synchronized int beginUpdate() {
        updates++;
        return updates;
    }

    /** Returns the number of the last update that has begun, 0 if none has. */
    synchronized int lastUpdate() {
        return updates;
    }

    /** Returns whether limits that an update has been told are to be set. The lock is held. */
    boolean isLater(int update) {
        return state != RETIRED && (answered < 0 || update - answered > 0);
    }

    /** Sets limits that an update has been told. The lock is held. */
    void setLimits(List<Limit> limits, int update) {
        log.setLimits(limits);
        hasLastGrant = false; // what it has granted may count no longer, or count again for longer
        setBusyNanos(limits);
        answered = update;
    }

    /** Begins with what an earlier entry had been granted. No other thread knows this one. */
    void start(LimiterState granted) {
        state = UNKNOWN;
        log.start(granted);
        publish();
    }

    /**
     * Returns whether the gate is certainly not idle at {@code nanos}, or is used by calls that may still ask for its
     * limits, without the lock.
     */
    boolean isCertainlyBusy(long nanos) {
        return isUsed() && !isAbandoned
                || hasLastGrant && busyNanos >= 0 && !Times.isOlder(lastGrant, nanos, busyNanos);
    }

    /** Takes note of a change at {@code nanos}; returns whether the gate may have been idle before. */
    boolean noteChange(long nanos, boolean isRevocable) {
        long since = nanos - lastGrant;
        boolean mayHaveBeenIdle = !hasLastGrant || since > busyNanos;
        if (!isRevocable && (!hasLastGrant || since > 0)) {
            lastGrant = nanos;
            hasLastGrant = true;
        }
        return mayHaveBeenIdle;
    }
}
