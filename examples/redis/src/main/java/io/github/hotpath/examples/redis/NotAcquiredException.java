package io.github.hotpath.examples.redis;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an attempt could not be made, and so has acquired nothing: there is no connection, or the server has
 * answered with an error, such as that it has no memory, or that the key has another value.
 */
public final class NotAcquiredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotAcquiredException(String key, String reason, @Nullable Throwable cause) {
        super("key: " + key + " (expected: a server that can grant): " + reason, cause);
    }
}
