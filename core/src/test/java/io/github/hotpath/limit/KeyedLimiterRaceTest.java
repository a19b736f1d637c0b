package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.AtOnce;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
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
     * A single permit, which one thread after another has and cancels. Cancelled, its entry is idle at once, and a
     * thread evicts it: a permit acquired from a limiter that has left the map would leave another one to be had.
     */
    @Test
    void reserve_whileEvicted_neverTwoHoldTheOnlyPermit() {
        holdInTurn(() -> limiter.evictIdle(TIME));
    }

    /** The same where the keys of others evict it. */
    @Test
    void reserve_whileOthersAddKeys_neverTwoHoldTheOnlyPermit() {
        AtomicInteger others = new AtomicInteger(2);

        holdInTurn(() -> limiter.forKey(others.getAndIncrement())
                .reserve(TIME, 1, Duration.ZERO)
                .cancel());

        assertThat(limiter.size()).isLessThanOrEqualTo(4 * 3 + 64);
    }

    private void holdInTurn(Runnable evict) {
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
                        evict.run();
                    }
                })
                .run();

        assertThat(granted.get()).isPositive();
        Invariants.check(limiter);
    }

    /**
     * At each time one permit, its key idle before: one thread acquires it while the other evicts, and acquires as
     * well.
     */
    @Test
    void tryAcquire_whileEvicted_oneIsGrantedAtEachTime() {
        int times = 20_000;
        byte[][] granted = new byte[2][times];
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger number = new AtomicInteger();

        new AtOnce()
                .on(2, () -> {
                    int thread = number.getAndIncrement();
                    for (int i = 0; i < times; i++) {
                        long nanos = TIME + 11L * i;
                        awaitOther(arrived, 2 * (i + 1));
                        if (thread == 0) {
                            limiter.evictIdle(nanos);
                        } else {
                            for (int spins = i % 12; spins > 0; spins--) { // to coincide with the eviction
                                Thread.onSpinWait();
                            }
                        }
                        boolean acquired = i % 2 == 0
                                ? limiter.forKey(1).tryAcquire(nanos, 1)
                                : limiter.forKey(1).tryAcquireOrDelay(nanos, 1) == 0;
                        granted[thread][i] = (byte) (acquired ? 1 : 0);
                    }
                })
                .run();

        for (int i = 0; i < times; i++) {
            assertThat(granted[0][i] + granted[1][i]).as("at the time %d", i).isEqualTo(1);
        }
        Invariants.check(limiter);
    }

    private static void awaitOther(AtomicInteger arrived, int both) {
        arrived.incrementAndGet();
        for (int spins = 1; arrived.get() < both; spins++) {
            if (spins % 1_000 == 0) {
                LockSupport.parkNanos(1);
            } else {
                Thread.onSpinWait();
            }
        }
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
