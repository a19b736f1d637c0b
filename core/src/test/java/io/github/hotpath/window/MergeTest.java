package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link EventWindow} cannot show of reads without gigabytes. */
class MergeTest {
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, LONGEST})
    void arrayLength_asAnArrayHolds_isTheSize(int size) {
        assertThat(Merge.arrayLength(size)).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(longs = {LONGEST + 1L, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE})
    void arrayLength_moreThanAnArrayHolds_outOfMemory(long size) {
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> Merge.arrayLength(size))
                .withMessage("more events than an array holds: " + size);
    }
}
