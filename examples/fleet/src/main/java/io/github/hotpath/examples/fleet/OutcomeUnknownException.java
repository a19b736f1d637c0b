package io.github.hotpath.examples.fleet;

/**
 * Thrown when an attempt has failed, and it is not known whether its permits were acquired: they may count, and then do
 * so until they expire. The limit holds either way.
 *
 * <p>The cause tells why: no answer in time, or fewer members than needed. It does not tell whether the permits count,
 * since the attempt may have been made once already before a member failed.
 */
public final class OutcomeUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutcomeUnknownException(Object key, Throwable cause) {
        super("key: " + key + " (expected: an answer)", cause);
    }
}
