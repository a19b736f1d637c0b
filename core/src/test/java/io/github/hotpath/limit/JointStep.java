package io.github.hotpath.limit;

import java.util.List;

/**
 * A step of a {@link JointWorld}: a call on some of its limiters, by their numbers, of which some may be the same.
 *
 * @param targets which limiters are called: one alone, or several together
 * @param argument the longest delay, the duration, or how many reservations before the last one
 */
record JointStep(Member member, List<Integer> targets, long nanos, int permits, long argument) {
    enum Member {
        TRY_ACQUIRE,
        TRY_ACQUIRE_OR_DELAY,
        RESERVE,
        ADJUST,
        AVAILABLE,
        DECIDE,
        PEEK,
        RECORD,
        CLOSE_FOR,
        EVICT_IDLE,
        CLEAR
    }
}
