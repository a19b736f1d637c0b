package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.AtOnce;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that use keys just as these are evicted, added, or cleared. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class KeyedLimiterRaceTest {
    private static final Limit ONE = Limit.of(1, Duration.ofNanos(10));
    private static final long TIME = Long.MAX_VALUE;

    private final KeyedLimiter<Integer> limiter = KeyedLimiter.of(ONE);

    /**
     * A single permit, which one thread after another has and cancels. Cancelled, its entry is idle at once, and the keys
     * of others evict it: a permit acquired from a limiter that has left the map would leave another one to be had.
     */
    @Test
    void reserve_whileOthersAddKeys_neverTwoHoldTheOnlyPermit() {
        AtomicInteger others = new AtomicInteger(2);
        AtomicInteger holders = new AtomicInteger();
        AtomicLong granted = new AtomicLong();
        AtomicInteger running = new AtomicInteger(2);

        new AtOnce()
                .on(2, () -> {
                    try {
                        for (int i = 0; i < 150_000; i++) {
                            Reservation permit = limiter.forKey(1).reserve(TIME, 1, Duration.ZERO);
                            if (permit.isGranted()) {
                                assertThat(holders.incrementAndGet()).isEqualTo(1);
                                holders.decrementAndGet();
                                assertThat(permit.cancel()).isTrue();
                                granted.incrementAndGet();
                            }
                        }
                    } finally {
                        running.decrementAndGet();
                    }
                })
                .on(1, () -> {
                    while (running.get() > 0) {
                        limiter.forKey(others.getAndIncrement())
                                .reserve(TIME, 1, Duration.ZERO)
                                .cancel();
                    }
                })
                .run();

        assertThat(granted.get()).isPositive();
        assertThat(limiter.size()).isLessThanOrEqualTo(4 * 3 + 64);
        Invariants.check(limiter);
    }

    /** A call concurrent with a clear takes effect before or after it: nothing acquired before it is left. */
    @Test
    void any_whileCleared_nothingIsLeftBehind() {
        AtomicInteger done = new AtomicInteger();

        new AtOnce()
                .on(3, () -> {
                    for (int i = 0; i < 30_000; i++) {
                        int key = i % 7;
                        Reservation permit = limiter.forKey(key).reserve(TIME, 1, Duration.ZERO);
                        if (permit.isGranted() && i % 2 == 0) {
                            permit.cancel();
                        }
                        limiter.forKey(key + 1).tryAcquire(TIME + i, 1);
                    }
                    done.incrementAndGet();
                })
                .watchedBy(limiter::clear)
                .run();

        assertThat(done.get()).isEqualTo(3);
        Invariants.check(limiter);
        limiter.clear();
        assertThat(limiter.size()).isZero();
        for (int key = 0; key < 8; key++) {
            assertThat(limiter.forKey(key).tryAcquire(TIME - 1_000, 1)).isTrue();
        }
    }
}
