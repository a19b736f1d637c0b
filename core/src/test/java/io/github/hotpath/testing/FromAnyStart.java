package io.github.hotpath.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test that is run from the times at which careless arithmetic breaks: both ends of a {@code long}, where it wraps,
 * zero, and ordinary ones. The origin of the clock must not matter anywhere.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@ParameterizedTest(name = "from {0}")
@ValueSource(
        longs = {
            Long.MIN_VALUE,
            Long.MIN_VALUE + 1,
            -1L << 62,
            -7,
            -1,
            0,
            1,
            1L << 62,
            StartTimes.BEFORE_THE_WRAP,
            Long.MAX_VALUE - 1,
            Long.MAX_VALUE,
            3_141_592_653_589_793_238L
        })
public @interface FromAnyStart {}
