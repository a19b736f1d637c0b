package io.github.hotpath.examples.redis;

import java.util.List;

/**
 * Thrown when it is not known whether an attempt has acquired its permits: no answer came in time, the connection
 * broke, a cluster's node has none, or the waiting thread was interrupted. They may count, once, and the limit holds.
 * The attempt is not repeated.
 */
public final class OutcomeUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutcomeUnknownException(List<String> keys, Throwable cause) {
        super("keys: " + keys + " (expected: an answer)", cause);
    }
}
