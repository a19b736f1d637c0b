package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Times} compares by differences, wherever the clock starts. */
class TimesTest {
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void later_twoTimes_isTheOneAfterTheOther(long start) {
        assertThat(Times.later(start, start + 1)).isEqualTo(start + 1);
        assertThat(Times.later(start + 1, start)).isEqualTo(start + 1);
        assertThat(Times.later(start, start + Long.MAX_VALUE)).isEqualTo(start + Long.MAX_VALUE);
        assertThat(Times.later(start + Long.MAX_VALUE, start)).isEqualTo(start + Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void later_halfOfAllTimesApart_isTheFirst(long start) {
        assertThat(Times.later(start, start + Long.MIN_VALUE)).isEqualTo(start);
        assertThat(Times.later(start + Long.MIN_VALUE, start)).isEqualTo(start + Long.MIN_VALUE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void isOlder_anyAge_comparesUnsigned(long start) {
        assertThat(Times.isOlder(start, start, 0)).isFalse();
        assertThat(Times.isOlder(start, start + 10, 10)).isFalse();
        assertThat(Times.isOlder(start, start + 11, 10)).isTrue();
        assertThat(Times.isOlder(start, start - 1, Long.MAX_VALUE)).isTrue(); // nearly 2^64 old
        assertThat(Times.isOlder(start, start - 1, -1)).isFalse();
    }
}
