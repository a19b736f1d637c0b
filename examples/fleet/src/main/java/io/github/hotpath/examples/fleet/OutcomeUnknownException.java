package io.github.hotpath.examples.fleet;

/**
 * Thrown when an attempt was not answered in time, and it is not known whether its permits were acquired: they may
 * count, and then do so until they expire. The limit holds either way.
 */
public final class OutcomeUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutcomeUnknownException(String attempt, Throwable cause) {
        super("attempt: " + attempt + " (expected: an answer in time)", cause);
    }
}
