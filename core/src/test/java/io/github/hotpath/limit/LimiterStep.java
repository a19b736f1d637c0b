package io.github.hotpath.limit;

import java.util.List;

/**
 * A call on a {@link LimiterWorld}, or on the model of one.
 *
 * @param number tells its reservation, if it makes one
 * @param targets which limiters are called: one alone, or several together, of which some may be the same
 * @param nanos the time, or how much later all times are after a restart
 * @param argument the longest delay, the duration, the number of the reservation to adjust, or that of the new limits
 */
record LimiterStep(int number, Member member, List<Integer> targets, long nanos, int permits, long argument) {
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
        /** Of a plain limiter, or of a keyed one. */
        CLEAR,
        REMOVE,
        /** Of a plain limiter; of a key, by an update of it or of all. */
        SET_LIMITS,
        UPDATE_LIMITS,
        UPDATE_ALL_LIMITS,
        EVICT_IDLE,
        SIZE,
        /** The size while no other call is in progress. */
        SIZE_AT_REST,
        /** Writes, reads, and tells what is available in the copy under {@link LimiterWorld#WIDE}. */
        WRITE,
        /**
         * Writes all limiters and reads them again, with another clock, and a key with other limits. Reservations stay
         * with the originals.
         */
        RESTART
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
