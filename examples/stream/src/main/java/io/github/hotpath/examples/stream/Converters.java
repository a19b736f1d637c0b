package io.github.hotpath.examples.stream;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What the values of options may be. */
final class Converters {
    /** About a hundred years: times of windows fit into nanoseconds. */
    private static final Duration MAX_DURATION = Duration.ofDays(36_500);

    private Converters() {}

    /** Durations of zero or more whole milliseconds. */
    static final class Durations implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return duration(text, Duration.ZERO, "zero or more");
        }
    }

    /** Durations of at least a millisecond, in whole ones. */
    static final class PositiveDurations implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return duration(text, Duration.ofMillis(1), "a positive number of");
        }
    }

    private static Duration duration(String text, Duration least, String range) {
        try {
            Duration duration = Duration.parse(text);
            if (duration.compareTo(least) >= 0
                    && duration.compareTo(MAX_DURATION) <= 0
                    && duration.toNanosPart() % 1_000_000 == 0) {
                return duration;
            }
        } catch (DateTimeParseException e) {
            // rejected below, like a duration out of range
        }
        throw wrong(text, range + " whole milliseconds, up to " + MAX_DURATION + ", such as PT1.5S");
    }

    /** Numbers from 1. */
    static final class PositiveNumbers implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                int number = Integer.parseInt(text);
                if (number > 0) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // rejected below, like a number out of range
            }
            throw wrong(text, "a whole number from 1 to " + Integer.MAX_VALUE);
        }
    }

    /** Ways to count. */
    static final class Ways implements ITypeConverter<Way> {
        @Override
        public Way convert(String text) {
            for (Way way : Way.values()) {
                if (way.name().toLowerCase(Locale.ROOT).equals(text)) {
                    return way;
                }
            }
            throw wrong(text, "hotpath or flink");
        }
    }

    private static TypeConversionException wrong(String text, String expected) {
        return new TypeConversionException("'" + text + "' (expected: " + expected + ")");
    }
}
