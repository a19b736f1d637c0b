package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.acquiring;
import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Futures;
import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.testing.AtOnce;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@link SlidingWindowLimiter} refuses while another thread holds its lock: without waiting for that. */
class LimiterThreadsTest {
    private static final long NEVER = Long.MAX_VALUE;

    /** Refuses a single permit at 100, and grants it again at 111. That others publish so, {@link Invariants} check. */
    private final SlidingWindowLimiter exhausted =
            acquiring(SlidingWindowLimiter.of(Limit.of(9, nanos(1_000)), Limit.ofCalls(1, nanos(10))), 100);

    @Test
    void tryAcquire_refusedWhileTheLockIsHeld_completes() {
        for (long time : new long[] {100, 110, -1_000}) {
            assertThat(whileLocked(exhausted, () -> exhausted.tryAcquire(time, 1)))
                    .isEqualTo("false");
            assertThat(whileLocked(exhausted, () -> exhausted.tryAcquire(time, Integer.MAX_VALUE)))
                    .isEqualTo("false");
            assertThat(whileLocked(exhausted, () -> exhausted.tryAcquireOrDelay(time, 1)))
                    .isEqualTo("" + (111 - time));
        }

        assertThat(exhausted.tryAcquire(111, 1)).isTrue();
    }

    /** Several together are refused by one, while the lock of that one is held, or that of another. */
    @Test
    void tryAcquire_oneOfSeveralRefuses_completes() {
        SlidingWindowLimiter other = Limiters.of(9, 10);
        KeyedLimiter<String> keyed = KeyedLimiter.of(Limit.of(9, nanos(10)));
        for (Limiter together : new Limiter[] {
            Limiter.allOf(exhausted, other),
            Limiter.allOf(other, keyed.forKey("new"), exhausted),
            Limiter.allOf(keyed.forKey("new"), Limiter.allOf(other, exhausted, other))
        }) {
            assertThat(whileLocked(other, () -> together.tryAcquire(100, 1))).isEqualTo("false");
            assertThat(whileLocked(exhausted, () -> together.tryAcquire(110, 2)))
                    .isEqualTo("false");
        }

        assertThat(other.available(100)).isEqualTo(9);
        assertThat(keyed.size()).isZero();
    }

    @Test
    void any_exhaustedForEverWhileTheLockIsHeld_completes() {
        SlidingWindowLimiter limiter = Limiters.of(0, 10);

        for (long time : new long[] {100, Long.MIN_VALUE}) {
            for (int permits : new int[] {1, 3}) {
                assertThat(whileLocked(limiter, () -> limiter.tryAcquire(time, permits)))
                        .isEqualTo("false");
                assertThat(whileLocked(limiter, () -> limiter.tryAcquireOrDelay(time, permits)))
                        .isEqualTo("" + NEVER);
            }
        }
    }

    /** A thread could be suspended at any moment of these calls, during which the limit is exhausted. */
    @Test
    void tryAcquire_whileWhatIsExhaustedChanges_isAlwaysRefusedWithoutTheLock() {
        SlidingWindowLimiter limiter = Limiters.of(1, 1_000);
        Reservation reservation = limiter.reserve(0, 1, nanos(0));

        new AtOnce()
                .on(1, () -> {
                    for (int i = 0; i < 100_000; i++) {
                        limiter.record(0, 1);
                        reservation.adjustTo(1 + i % 2);
                        limiter.closeFor(0, nanos(10));
                    }
                })
                .watchedBy(() -> assertThat(limiter.log.refuses(5, 1)).isTrue())
                .run();
    }

    /** A thread that finds a time published finds the time that belongs to it: not that before a clear. */
    @Test
    void refuses_whileClearedAndExhaustedEarlier_neverByTheTimeBefore() {
        SlidingWindowLimiter limiter = Limiters.of(1, 10);
        AtomicLong cleared = new AtomicLong(100);
        AtomicLong wrong = new AtomicLong();

        new AtOnce()
                .on(1, () -> {
                    for (long time = 0; time > -100_000_000; time -= 100) {
                        limiter.tryAcquire(time, 1); // exhausted until time + 11, and no later any more
                        limiter.clear();
                        cleared.set(time);
                    }
                })
                .watchedBy(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        if (limiter.log.refuses(cleared.get(), 1)) {
                            wrong.incrementAndGet();
                        }
                    }
                })
                .run();

        assertThat(wrong).hasValue(0);
    }

    @Test
    void tryAcquire_asManyAsWereRefused_isRefusedWhileTheLockIsHeld() {
        SlidingWindowLimiter limiter = acquiring(Limiters.of(10, 100), 0, 0, 0, 0, 0, 0);
        assertThat(limiter.tryAcquire(1, 5)).isFalse();
        assertThat(limiter.tryAcquire(2, 1)).isTrue(); // uses up more

        for (int permits : new int[] {5, 6, Integer.MAX_VALUE}) {
            assertThat(whileLocked(limiter, () -> limiter.tryAcquire(100, permits)))
                    .isEqualTo("false");
            assertThat(whileLocked(
                            limiter,
                            () -> Limiter.allOf(Limiters.of(1, 1), limiter).tryAcquire(1, permits)))
                    .isEqualTo("false");
        }
        assertThat(whileLocked(limiter, () -> limiter.tryAcquire(100, 4))).isEqualTo("waits");
        assertThat(limiter.tryAcquire(101, 5)).isTrue();
    }

    /** What may grant more, and what is evaluated when more are granted, is decided anew. */
    @Test
    void tryAcquire_asManyAsWereRefusedBeforeAChange_waitsForTheLock() {
        List<Consumer<SlidingWindowLimiter>> changes = List.of(
                SlidingWindowLimiter::clear,
                limiter -> limiter.setLimits(Limit.of(20, nanos(100))),
                limiter -> limiter.tryAcquire(101, 1),
                limiter -> Limiter.allOf(limiter, Limiters.of(1, 1)).tryAcquire(1, 1));
        for (Consumer<SlidingWindowLimiter> change : changes) {
            SlidingWindowLimiter limiter = acquiring(Limiters.of(10, 100), 0, 0, 0, 0, 0, 0);
            assertThat(limiter.tryAcquire(1, 5)).isFalse();
            change.accept(limiter);

            assertThat(whileLocked(limiter, () -> limiter.tryAcquire(1, 5))).isEqualTo("waits");
        }

        SlidingWindowLimiter limiter = Limiters.of(10, 100);
        Reservation reservation = limiter.reserve(0, 6, nanos(0));
        assertThat(limiter.tryAcquire(1, 5)).isFalse();
        reservation.adjustTo(5);

        assertThat(whileLocked(limiter, () -> limiter.tryAcquire(1, 5))).isEqualTo("waits");
    }

    /** A thread that finds permits published finds the time that belongs to them. */
    @Test
    void refuses_whileOthersAreRefusedForLonger_neverByTheirTime() {
        SlidingWindowLimiter limiter = Limiters.of(10, 100);
        AtomicLong wrong = new AtomicLong();
        limiter.record(0, 3);
        limiter.record(50, 6);

        new AtOnce()
                .on(1, () -> {
                    for (int i = 0; i < 1_000_000; i++) {
                        limiter.tryAcquire(100, 2); // refused until 101
                        limiter.tryAcquire(120, 6); // until 151
                    }
                })
                .watchedBy(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        if (limiter.log.refuses(120, 2)) {
                            wrong.incrementAndGet();
                        }
                    }
                })
                .run();

        assertThat(wrong).hasValue(0);
    }

    /** Or a thread that is suspended while it reads could find the same permits again, with another time in between. */
    @Test
    void refused_setTwiceToTheSamePermits_differs() {
        SlidingWindowLimiter limiter = Limiters.of(10, 100);
        limiter.record(0, 9);
        limiter.tryAcquire(0, 3);
        long before = limiter.log.refused;
        limiter.tryAcquire(0, 2);
        limiter.tryAcquire(200, 9);
        limiter.tryAcquire(201, 3);

        assertThat((int) limiter.log.refused).isEqualTo((int) before);
        assertThat(limiter.log.refused).isNotEqualTo(before);
    }

    /** The proof that the others can fail: it is the lock that is held. */
    @Test
    void tryAcquire_grantedWhileTheLockIsHeld_waits() {
        SlidingWindowLimiter limiter = acquiring(Limiters.of(2, 10), 100);

        assertThat(whileLocked(limiter, () -> limiter.tryAcquire(100, 1))).isEqualTo("waits");

        assertThat(limiter.tryAcquire(200, 2)).isTrue();
    }

    /** Returns what the call returns in another thread while this one holds the lock, or that it waits for the lock. */
    private static String whileLocked(SlidingWindowLimiter limiter, Supplier<Object> call) {
        FutureTask<String> answer = new FutureTask<>(() -> call.get().toString());
        Thread thread = new Thread(answer);
        PolledLock lock = limiter.log;
        boolean waits = false;
        lock.lock();
        try {
            thread.start();
            while (!waits && thread.getState() != Thread.State.TERMINATED) {
                waits = isInLock(thread);
            }
        } finally {
            lock.unlock();
        }
        String returned = Futures.getUnchecked(answer);
        return waits ? "waits" : returned;
    }

    private static boolean isInLock(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(PolledLock.class.getName()));
    }
}
