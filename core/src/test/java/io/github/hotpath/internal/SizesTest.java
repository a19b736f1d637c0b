package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What no window can show without gigabytes. */
class SizesTest {
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, LONGEST})
    void arrayLength_asAnArrayHolds_isTheSize(int size) {
        assertThat(Sizes.arrayLength(size)).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(longs = {LONGEST + 1L, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE})
    void arrayLength_moreThanAnArrayHolds_outOfMemory(long size) {
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> Sizes.arrayLength(size))
                .withMessage("more events than an array holds: " + size);
    }
}
