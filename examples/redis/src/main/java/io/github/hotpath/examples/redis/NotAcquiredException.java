package io.github.hotpath.examples.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an attempt has acquired nothing, since there is no connection, or the server has answered with an error:
 * it has no memory, it is a replica, or a key has another value.
 */
public final class NotAcquiredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotAcquiredException(List<String> keys, String reason, @Nullable Throwable cause) {
        super("keys: " + keys + " (expected: a server that can grant): " + reason, cause);
    }
}
