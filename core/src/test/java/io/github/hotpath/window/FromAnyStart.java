package io.github.hotpath.window;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test that is run from each of {@link StartTimes}: the origin of the clock must not matter anywhere. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@ParameterizedTest(name = "from {0}")
@MethodSource("io.github.hotpath.window.StartTimes#all")
public @interface FromAnyStart {}
