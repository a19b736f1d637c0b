package io.github.hotpath.examples.redis;

/**
 * Thrown when the server has not answered an attempt, and it is not known whether its permits were acquired: they may
 * count, and then do so until they expire. The limit holds either way. The attempt is not repeated.
 *
 * <p>The cause tells why: no answer in time, a connection that broke, or fewer replicas than required.
 */
public final class OutcomeUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutcomeUnknownException(String key, Throwable cause) {
        super("key: " + key + " (expected: an answer)", cause);
    }
}
