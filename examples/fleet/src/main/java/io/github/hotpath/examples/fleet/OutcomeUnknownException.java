package io.github.hotpath.examples.fleet;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an attempt was not answered in time, and it is not known whether its permits were acquired: they may
 * count, and then do so until they expire. The limit holds either way.
 *
 * <p>{@link #repeat} finds out, and acquires them if they were not. The attempt counts once, however often it is made.
 */
public final class OutcomeUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable FleetMember member;
    private final transient @Nullable Attempt attempt;

    OutcomeUnknownException(FleetMember member, Attempt attempt, Throwable cause) {
        super("attempt: " + attempt.requests() + " (expected: an answer in time)", cause);
        this.member = member;
        this.attempt = attempt;
    }

    /**
     * Makes the same attempt once more, within a minute. It can be repeated again and again, for half an hour.
     *
     * @return 0 if the permits are acquired, by this call or already before; otherwise the delay
     * @throws OutcomeUnknownException if it is not answered in time again
     * @throws IllegalStateException if it is too late to repeat it: then it remains unknown. So does one that
     *     was not made because the fleet does not know this member any more, or not yet
     */
    public long repeat() {
        if (member == null || attempt == null) {
            throw new IllegalStateException("repeat: in another JVM (expected: in the one of the attempt)");
        }
        return member.repeat(attempt);
    }
}
