package io.github.hotpath.examples.fleet;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a member logs, each line with its address. Thread-safe. */
final class FleetLog {
    private static final System.Logger LOGGER = System.getLogger("io.github.hotpath.examples.fleet");

    private final String member;
    private final KeyedLimiter<String> repetitions = KeyedLimiter.of(Limit.of(1, Duration.ofMinutes(1)));

    FleetLog(String member) {
        this.member = member;
    }

    void info(String message) {
        LOGGER.log(Level.INFO, line(message));
    }

    void error(String message, Throwable cause) {
        LOGGER.log(Level.ERROR, line(message), cause);
    }

    /** Logs a message at most once a minute, with the reason that it has then. */
    void everyMinute(Level level, String message, @Nullable Object reason) {
        if (repetitions.forKey(message).tryAcquire(System.nanoTime(), 1)) {
            LOGGER.log(level, line(message + ": " + reason));
        }
    }

    private String line(String message) {
        return member + ": " + message;
    }
}
