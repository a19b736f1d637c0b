package io.github.hotpath.window;

import java.util.stream.LongStream;

/**
 * The times at which careless arithmetic breaks: both ends of a {@code long}, where it wraps, zero, and an ordinary
 * one.
 */
public final class StartTimes {
    /** A little before the wrap, so that a window which starts here lives through it. */
    public static final long BEFORE_THE_WRAP = Long.MAX_VALUE - 7;

    private StartTimes() {}

    public static LongStream all() {
        return LongStream.of(
                Long.MIN_VALUE,
                Long.MIN_VALUE + 1,
                -1L << 62,
                -7,
                -1,
                0,
                1,
                1L << 62,
                BEFORE_THE_WRAP,
                Long.MAX_VALUE - 1,
                Long.MAX_VALUE,
                Seed.random("start").nextLong());
    }
}
