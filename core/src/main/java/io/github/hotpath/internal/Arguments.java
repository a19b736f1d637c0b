package io.github.hotpath.internal;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Checks of arguments. A rejection names the parameter, its value and the rule. Not exported. */
public final class Arguments {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Arguments() {}

    /** Returns the nanoseconds of {@code duration}, zero or more. */
    public static long nanos(Duration duration, String name) {
        requireNonNull(duration, name);
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw rejected(name, duration, "from zero to Long.MAX_VALUE nanoseconds");
        }
        return duration.toNanos();
    }

    /** Returns the nanoseconds of {@code duration}, from zero to {@code most}. */
    public static long nanosUpTo(long most, Duration duration, String name) {
        requireNonNull(duration, name);
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0 || duration.toNanos() > most) {
            throw rejected(name, duration, "from zero to the interval, " + Duration.ofNanos(most));
        }
        return duration.toNanos();
    }

    /**
     * Returns the nanoseconds of {@code duration}, zero or more, and {@link Long#MAX_VALUE} if they are more than that.
     */
    public static long saturatedNanos(Duration duration, String name) {
        requireNonNull(duration, name);
        if (duration.isNegative()) {
            throw rejected(name, duration, "zero or more");
        }
        return duration.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /** Rejects a value less than {@code least}. */
    public static void checkAtLeast(long least, long value, String name) {
        if (value < least) {
            throw rejected(name, value, "at least " + least);
        }
    }

    /** Returns {@code fraction}, greater than 0 and up to 1. */
    public static double fraction(double fraction, String name) {
        if (fraction > 0 && fraction <= 1) {
            return fraction;
        }
        throw rejected(name, fraction, "over 0, up to 1");
    }

    /** Returns the arguments {@code first} and {@code more} of a method as one array. */
    public static <T> T[] array(T first, T[] more, IntFunction<T[]> create) {
        T[] all = create.apply(1 + requireNonNull(more, "more").length);
        all[0] = requireNonNull(first, "first");
        for (int i = 0; i < more.length; i++) {
            all[1 + i] = notNull(more[i], "more", i);
        }
        return all;
    }

    private static <T> T notNull(T element, String name, int index) {
        if (element == null) { // a message for each would cost more than all else
            throw new NullPointerException(name + "[" + index + "]");
        }
        return element;
    }

    /** Returns a copy of the argument {@code name}, a list. */
    public static <T> List<T> copyOf(List<? extends T> list, String name) {
        List<T> copy = new ArrayList<>(requireNonNull(list, name));
        for (int i = 0; i < copy.size(); i++) {
            notNull(copy.get(i), name, i);
        }
        return List.copyOf(copy);
    }

    /** Returns the exception that rejects an argument. */
    public static IllegalArgumentException rejected(String name, Object value, String expected) {
        return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
}
