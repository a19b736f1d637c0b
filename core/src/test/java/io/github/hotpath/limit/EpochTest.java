package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.FromAnyStart;
import java.util.concurrent.atomic.AtomicReference;

class EpochTest {
    private final AtomicReference<Epoch> current = new AtomicReference<>();
    private final Epoch epoch = new Epoch(current::get);

    @FromAnyStart
    void evictAt_inAnyOrder_isTheLatest(long start) {
        assertThat(epoch.hasEvicted).isFalse();
        assertThat(epoch.orEvictionTime(start)).isEqualTo(start);

        for (long later : new long[] {0, 5, 3, 1L << 62, 7}) {
            epoch.evictAt(start + later);
            assertThat(epoch.hasEvicted).isTrue();
            assertThat(epoch.evictedAt).isEqualTo(start + (later == 3 ? 5 : later == 7 ? 1L << 62 : later));
        }
    }

    @FromAnyStart
    void orEvictionTime_earlierOrLater_isTheLaterOfBoth(long start) {
        epoch.evictAt(start + 10);

        assertThat(epoch.orEvictionTime(start - 3)).isEqualTo(start + 10);
        assertThat(epoch.orEvictionTime(start + 9)).isEqualTo(start + 10);
        assertThat(epoch.orEvictionTime(start + 10)).isEqualTo(start + 10);
        assertThat(epoch.orEvictionTime(start + 11)).isEqualTo(start + 11);
        assertThat(epoch.orEvictionTime(start + 10 + Long.MAX_VALUE)).isEqualTo(start + 10 + Long.MAX_VALUE);
    }
}
