package io.github.hotpath.limit;

import io.github.hotpath.internal.PolledLock;
import java.util.Arrays;

/**
 * A call on one limiter or on several, with the locks of all held: all of them are changed, or none.
 *
 * @param <M> the members of such a call
 */
abstract class JointCall<M extends Member> {
    /*
     * Most often all locks are free: then they are acquired in the order in which the limiters were named, without
     * waiting. Otherwise they are acquired in the order of the limiters' identity hashes, so that threads do not wait
     * for each other in a circle; of the threads that have limiters with equal hashes, one at a time acquires locks.
     *
     * What requests are refused by without a lock is published in two steps: first every limiter takes back what it has
     * published, then all change, and then they publish anew. Otherwise a thread could be refused by one limiter as it
     * is after the call, and then by another one as it was before.
     *
     * The limiter of a key without entry is made with its lock held, which nobody else knows, and added to its map when
     * all other locks are held. If another thread was faster, or if a limiter has been evicted or cleared, all locks
     * are released and the call begins again. No limiter's lock is waited for inside an operation of a map.
     *
     * As in SlidingWindowLimiter, the handler releases the locks by stores alone, and a field refers to the objects
     * that it needs.
     */

    /** Guards the acquisition of locks whose limiters have equal identity hashes. */
    private static final Object TIE = new Object();

    /** One or more, with different limiters. */
    final M[] members;

    /** The time of the call. */
    final long nanos;

    private boolean isChanged;

    JointCall(M[] members, long nanos) {
        this.members = members;
        this.nanos = nanos;
    }

    /** Decides whether to change the limiters, whose locks are held; changes none. */
    abstract boolean isToChange();

    /** Changes one limiter. */
    abstract void change(M member);

    /** Called with the locks held when the limiters have been changed, or are not to be. */
    void conclude() {}

    /** Returns whether what the call changes can be taken back, or counts nothing. */
    boolean isRevocable() {
        return false;
    }

    /** Makes the call, and returns whether it has changed the limiters. */
    final boolean make() {
        prepareAll();
        while (!attempt()) {
            for (Member member : members) {
                member.find();
            }
            prepareAll();
        }
        for (int i = 0; isChanged && i < members.length; i++) {
            members[i].finish(nanos, isRevocable());
        }
        return isChanged;
    }

    private void prepareAll() {
        for (Member member : members) {
            member.prepare(nanos);
        }
    }

    /** Makes the call; returns {@code false} if a limiter was not the right one any more. */
    private boolean attempt() {
        try {
            lockAll();
            members[0].limiter.inUse = this;
            boolean isMade = areCurrent(members) && decideAndChange();
            members[0].limiter.inUse = null;
            unlockAll();
            return isMade;
        } catch (Throwable e) {
            for (Member member : members) {
                if (member.isHeld) {
                    SlidingWindowLimiter limiter = member.limiter;
                    limiter.inUse = null;
                    limiter.state = limiter.state == SlidingWindowLimiter.RETIRED
                            ? SlidingWindowLimiter.RETIRED
                            : SlidingWindowLimiter.UNKNOWN;
                    limiter.log.holder = PolledLock.FREE;
                    member.isHeld = false;
                }
            }
            throw e;
        }
    }

    /** Returns whether the limiters, whose locks are held, are the right ones at this moment. */
    static boolean areCurrent(Member[] members) {
        for (Member member : members) {
            if (!member.isCurrent()) {
                return false;
            }
        }
        return true;
    }

    /** Decides, and does so; returns {@code false} if a key has been added by another thread. */
    private boolean decideAndChange() {
        isChanged = isToChange();
        if (hasNew()) {
            if (!(isChanged ? addNew() : areAbsent())) {
                withdrawNew();
                return false;
            }
            isChanged = isChanged && isToChange(); // keys may have been evicted since, and then a new one begins later
            if (!isChanged) {
                withdrawNew();
            }
        }
        if (isChanged) {
            changeAll();
        }
        conclude();
        return true;
    }

    private boolean hasNew() {
        for (Member member : members) {
            if (member.isNew()) {
                return true;
            }
        }
        return false;
    }

    private boolean addNew() {
        for (Member member : members) {
            if (member.isNew() && (member.isAffected ? !member.add() : member.isOvertaken())) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether new limiters are still those of their keys. Alone, one was when it was made. */
    private boolean areAbsent() {
        for (Member member : members) {
            if (members.length > 1 && member.isOvertaken()) {
                return false;
            }
        }
        return true;
    }

    private void withdrawNew() {
        for (Member member : members) {
            member.withdraw();
        }
    }

    private void changeAll() {
        for (Member member : members) {
            member.limiter.retract();
        }
        for (M member : members) {
            if (member.isAffected) {
                change(member);
            }
        }
        for (Member member : members) {
            member.limiter.publish();
        }
    }

    private void lockAll() {
        for (Member member : members) {
            if (!member.isHeld) {
                if (!member.limiter.log.tryLock(PolledLock.ALONE)) {
                    unlockKnown();
                    lockInOrder();
                    return;
                }
                member.isHeld = true;
            }
        }
    }

    private void lockInOrder() {
        long[] order = new long[members.length]; // hashes, each with the index of its member
        for (int i = 0; i < order.length; i++) {
            order[i] = (long) System.identityHashCode(members[i].limiter) << Integer.SIZE | i;
        }
        Arrays.sort(order);
        boolean isTied = false;
        for (int i = 1; i < order.length; i++) {
            isTied |= order[i - 1] >> Integer.SIZE == order[i] >> Integer.SIZE;
        }
        if (isTied) {
            synchronized (TIE) {
                lockEach(order);
            }
        } else {
            lockEach(order);
        }
    }

    private void lockEach(long[] order) {
        for (long each : order) {
            Member member = members[(int) each];
            if (!member.isHeld) {
                PolledLock lock = member.limiter.log;
                if (!lock.tryLock(PolledLock.ALONE)) {
                    lock.lock(PolledLock.ALONE, lock);
                }
                member.isHeld = true;
            }
        }
    }

    /** Releases the locks of all limiters but those that nobody else knows. */
    private void unlockKnown() {
        for (Member member : members) {
            if (!member.isNew()) {
                member.unlock();
            }
        }
    }

    private void unlockAll() {
        for (Member member : members) {
            member.unlock();
        }
    }
}
