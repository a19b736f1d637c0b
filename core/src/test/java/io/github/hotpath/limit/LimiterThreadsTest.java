package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.acquiring;
import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Futures;
import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.testing.AtOnce;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
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
                .watchedBy(() -> assertThat(limiter.log.refuses(5)).isTrue())
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
                        if (limiter.log.refuses(cleared.get())) {
                            wrong.incrementAndGet();
                        }
                    }
                })
                .run();

        assertThat(wrong).hasValue(0);
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
