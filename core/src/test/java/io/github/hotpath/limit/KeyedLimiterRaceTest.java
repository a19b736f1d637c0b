package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.AtOnce;
import java.time.Duration;
import java.util.List;
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

    /** A key that nothing is acquired from is never refused, however often it is evicted. */
    @Test
    void tryAcquire_ofTwoWhileEvicted_isNeverRefusedToOne() {
        KeyedLimiter<Integer> two = KeyedLimiter.of(Limit.of(2, Duration.ZERO));
        AtomicInteger running = new AtomicInteger(1);
        AtomicLong now = new AtomicLong(TIME);

        new AtOnce()
                .on(1, () -> {
                    try {
                        for (int i = 0; i < 200_000; i++) {
                            long nanos = now.incrementAndGet();
                            assertThat(
                                            i % 2 == 0
                                                    ? two.forKey(1).tryAcquire(nanos, 2)
                                                    : two.forKey(1).tryAcquireOrDelay(nanos, 2) == 0)
                                    .isTrue();
                        }
                    } finally {
                        running.decrementAndGet();
                    }
                })
                .on(2, () -> {
                    while (running.get() > 0) {
                        two.evictIdle(now.get());
                    }
                })
                .run();

        Invariants.check(two);
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

    /**
     * One thread asks for the limits of a key while another one clears, and then acquires it together with a service: an
     * entry made for one map, and added to another one, would be as new though the service is not.
     */
    @Test
    void decide_ofANewKeyWhileCleared_isAsOldAsTheOthers() {
        int rounds = 30_000;
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Thread main = Thread.currentThread();
        KeyedLimiter<Integer> keyed = KeyedLimiter.of(key -> {
            while (Thread.currentThread() == main && done.get() < key) {
                Thread.onSpinWait();
            }
            return List.of(ONE);
        });
        boolean[] isGranted = new boolean[rounds + 1];
        SlidingWindowLimiter service = SlidingWindowLimiter.of(Limit.of(2, Duration.ofNanos(10)));
        Thread other = new Thread(() -> {
            for (int key = 1; key <= rounds; key++) {
                awaitOther(arrived, 2 * key);
                for (int spins = key % 32; spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                keyed.clear();
                isGranted[key] = Limiter.allOf(keyed.forKey(key), service).tryAcquire(0, 1);
                done.set(key);
            }
        });
        other.setDaemon(true);
        other.start();
        for (int key = 1; key <= rounds; key++) {
            service.clear();
            Limiter all = Limiter.allOf(keyed.forKey(key), service);
            awaitOther(arrived, 2 * key);

            Decision decision = all.decide(0, 1);

            while (done.get() < key) {
                Thread.onSpinWait();
            }
            boolean isSecond = decision.quotas().get(1).remaining() == 0;
            assertThat(decision.isGranted() && isSecond && isGranted[key])
                    .as("both have the only permit of %d", key)
                    .isFalse();
        }
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

    /** Two clears at once: when one returns, the other one may not have come far. */
    @Test
    void clear_whileAnotherIsInProgress_endsReservationsAllTheSame() {
        for (int round = 0; round < 30; round++) {
            Reservation[] reservations = new Reservation[20_000];
            for (int key = 0; key < reservations.length; key++) {
                reservations[key] = limiter.forKey(key).reserve(TIME, 1, Duration.ZERO);
            }
            AtomicInteger alive = new AtomicInteger();

            new AtOnce()
                    .on(2, () -> {
                        limiter.clear();
                        for (Reservation reservation : reservations) {
                            alive.addAndGet(reservation.adjustTo(1) ? 1 : 0);
                        }
                    })
                    .run();

            assertThat(alive).hasValue(0);
        }
    }
}
