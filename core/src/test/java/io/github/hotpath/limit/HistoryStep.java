package io.github.hotpath.limit;

import java.util.List;

/**
 * A call of a history on a {@link HistoryWorld}, or on the model of one.
 *
 * @param number tells its reservation, if it makes one
 * @param targets which limiters are called together: 0 is the plain one, 1 and 2 are keys of one keyed limiter, 3 is the
 *     key of another one
 * @param argument the longest delay, the duration, the number of the reservation to adjust, or that of the new limits
 */
record HistoryStep(int number, Member member, List<Integer> targets, long nanos, int permits, int argument) {
    enum Member {
        TRY_ACQUIRE,
        TRY_ACQUIRE_OR_DELAY,
        RESERVE,
        DECIDE,
        PEEK,
        AVAILABLE,
        IS_IDLE,
        RECORD,
        CLOSE_FOR,
        ADJUST,
        /** Of the plain limiter, or of a keyed one. */
        CLEAR,
        REMOVE,
        /** Of the plain limiter; of a key, by an update of it or of all. */
        SET_LIMITS,
        UPDATE_LIMITS,
        UPDATE_ALL_LIMITS,
        EVICT_IDLE,
        SIZE,
        /** The size while no other call is in progress. */
        SIZE_AT_REST,
        /** Writes, reads, and tells what is available in the copy under {@link HistoryWorld#WIDE}. */
        WRITE
    }

    int target() {
        return targets.get(0);
    }

    boolean isWithoutTime() {
        return switch (member) {
            case ADJUST, CLEAR, REMOVE, SET_LIMITS, UPDATE_LIMITS, UPDATE_ALL_LIMITS, SIZE -> true;
            default -> false;
        };
    }

    /** Whether it changes what the function of limits returns. */
    boolean isUpdate() {
        return member == Member.UPDATE_LIMITS || member == Member.UPDATE_ALL_LIMITS;
    }

    @Override
    public String toString() {
        String on = "%d: %s %s".formatted(number, member, targets);
        return switch (member) {
            case ADJUST -> "%d: ADJUST the reservation of %d to %d".formatted(number, argument, permits);
            case RESERVE, CLOSE_FOR -> "%s at %d, %d permits, %d ns".formatted(on, nanos, permits, argument);
            case SET_LIMITS, UPDATE_LIMITS, UPDATE_ALL_LIMITS -> "%s to plan %d".formatted(on, argument);
            case CLEAR, REMOVE, SIZE, SIZE_AT_REST -> on;
            default -> "%s at %d, %d permits".formatted(on, nanos, permits);
        };
    }
}
