package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.FromAnyStart;

class EvictionTimeTest {
    private final EvictionTime evicted = new EvictionTime();

    @FromAnyStart
    void raiseTo_inAnyOrder_isTheLatest(long start) {
        assertThat(evicted.started).isFalse();
        assertThat(evicted.orLater(start)).isEqualTo(start);

        for (long later : new long[] {0, 5, 3, 1L << 62, 7}) {
            evicted.raiseTo(start + later);
            assertThat(evicted.started).isTrue();
            assertThat(evicted.nanos).isEqualTo(start + (later == 3 ? 5 : later == 7 ? 1L << 62 : later));
        }
    }

    @FromAnyStart
    void orLater_earlierOrLater_isTheLaterOfBoth(long start) {
        evicted.raiseTo(start + 10);

        assertThat(evicted.orLater(start - 3)).isEqualTo(start + 10);
        assertThat(evicted.orLater(start + 9)).isEqualTo(start + 10);
        assertThat(evicted.orLater(start + 10)).isEqualTo(start + 10);
        assertThat(evicted.orLater(start + 11)).isEqualTo(start + 11);
        assertThat(evicted.orLater(start + 10 + Long.MAX_VALUE)).isEqualTo(start + 10 + Long.MAX_VALUE);
    }
}
