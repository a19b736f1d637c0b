package io.github.hotpath.window;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** Checks of what callers pass in. A rejection names the parameter, its value and the rule. */
final class Arguments {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Arguments() {}

    /** Returns the nanoseconds of {@code duration}, zero or more. */
    static long nanos(Duration duration, String name) {
        requireNonNull(duration, name);
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw rejected(name, duration, "from zero to Long.MAX_VALUE nanoseconds");
        }
        return duration.toNanos();
    }

    /** Returns the nanoseconds of {@code duration}, from zero to {@code most}. */
    static long nanosUpTo(long most, Duration duration, String name) {
        requireNonNull(duration, name);
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0 || duration.toNanos() > most) {
            throw rejected(name, duration, "from zero to the interval, " + Duration.ofNanos(most));
        }
        return duration.toNanos();
    }

    static void checkLimit(int limit) {
        if (limit < 1) {
            throw rejected("limit", limit, "at least 1");
        }
    }

    private static IllegalArgumentException rejected(String name, Object value, String expected) {
        return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
}
