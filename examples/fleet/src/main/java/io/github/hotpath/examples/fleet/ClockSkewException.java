package io.github.hotpath.examples.fleet;

/** Thrown when the clock of this member is not known to be close enough to that of another. */
public final class ClockSkewException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClockSkewException(String message, Throwable cause) {
        super(message, cause);
    }
}
