package io.github.hotpath.testing;

import java.util.stream.LongStream;
import org.junit.jupiter.params.provider.ValueSource;

/** The times of {@link FromAnyStart}, for tests that choose among them. */
public final class StartTimes {
    /** A little before the wrap, so that a window which starts here lives through it. */
    public static final long BEFORE_THE_WRAP = Long.MAX_VALUE - 7;

    private StartTimes() {}

    public static LongStream all() {
        return LongStream.of(FromAnyStart.class.getAnnotation(ValueSource.class).longs());
    }
}
