package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.Allocation;
import io.github.hotpath.testing.Memory;
import java.time.Duration;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link SlidingWindowLimiter} allocates and retains. */
class LimiterMemoryTest {
    private static final Duration ANY = Duration.ofSeconds(Long.MAX_VALUE);
    private static final int MILLION = 1_000_000;

    // allocated

    @ParameterizedTest(name = "{0} permits")
    @ValueSource(ints = {1, 9, 100, 1_024, 1_025, 10_000})
    void tryAcquire_steady_allocatesNothing(int n) {
        SlidingWindowLimiter one = Limiters.of(1L << 62, n - 1);
        SlidingWindowLimiter several =
                SlidingWindowLimiter.of(Limit.of(1L << 62, nanos(n - 1)), Limit.ofCalls(1L << 62, nanos(n / 2)));
        acquire(one, 0, 3 * n + 10_000, 1);
        acquireSeveral(several, 0, 3 * n + 10_000);

        Allocation.assertNone(() -> acquire(one, 3 * n + 10_000, 100_000, 1));
        // A column is released, at most once in 1024 grants, if each entry in the window happens to have a one in it.
        assertThat(Allocation.of(() -> acquireSeveral(several, 3 * n + 10_000, 100_000)))
                .isLessThan(n == 1 ? 100_000 / 1_024 * 150 : 2_048);
    }

    /** Every seventh has the time of the one before. */
    private static void acquireSeveral(SlidingWindowLimiter limiter, long from, int count) {
        for (long time = from; time < from + count; time++) {
            limiter.tryAcquire(time % 7 == 0 ? time - 1 : time, 1 + (int) (time % 5));
        }
    }

    @ParameterizedTest(name = "{0} permits")
    @ValueSource(ints = {1, 1_000})
    void tryAcquireOrDelay_grantedAndRefusedInTurn_allocatesNothing(int n) {
        SlidingWindowLimiter limiter =
                SlidingWindowLimiter.of(Limit.of(n, nanos(10L * n)), Limit.ofCalls(n, nanos(10L * n)));
        attempt(limiter, 0);

        Allocation.assertNone(() -> attempt(limiter, 100_000));
    }

    private static void attempt(SlidingWindowLimiter limiter, long from) {
        for (long time = from; time < from + 100_000; time++) {
            limiter.tryAcquireOrDelay(time, 1);
            limiter.tryAcquireOrDelay(time, 2);
            limiter.tryAcquire(time, 1 + (int) (time % 2));
        }
    }

    /** Also just at the limit, where each grant comes when a permit has expired. */
    @Test
    void tryAcquire_ofThreeTogether_allocatesNothing() {
        Limiter all = Limiter.allOf(Limiters.of(1000, 1000), Limiters.of(600, 999), Limiters.of(1L << 62, 10_000));
        acquireAll(all, 0);

        Allocation.assertNone(() -> acquireAll(all, 100_000));
    }

    private static void acquireAll(Limiter all, long from) {
        for (long time = from; time < from + 100_000; time++) {
            all.tryAcquire(time, 1 + (int) (time % 2));
        }
    }

    /** A log that shrank with every lull would have to grow again. */
    @Test
    void tryAcquire_uneven_allocatesNothing() {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, 3_000);
        acquireUnevenly(limiter, 0);

        Allocation.assertNone(() -> acquireUnevenly(limiter, 1_000_000_000));
    }

    /** Gaps from 500 to 1500, by a generator that allocates nothing. */
    private static void acquireUnevenly(SlidingWindowLimiter limiter, long from) {
        long nanos = from;
        int random = 1;
        for (int i = 0; i < 100_000; i++) {
            random = random * 1_103_515_245 + 12_345;
            nanos += 500 + (random >>> 16) % 1_001;
            limiter.tryAcquire(nanos, 1);
        }
    }

    // retained

    @Test
    void tryAcquire_threePermits_retainsLittle() {
        for (int[] calls : new int[][] {{1, 1, 1}, {1, 2}, {2, 1}, {3}}) {
            SlidingWindowLimiter limiter = Limiters.of(10, 100);
            int time = 0;
            for (int permits : calls) {
                limiter.tryAcquire(time++, permits);
            }

            assertThat(bytes(limiter)).isLessThanOrEqualTo(320 + (calls.length < 3 ? 96 : 0));
        }
    }

    @Test
    void of_furtherLimits_retainLittleForEach() {
        long one = bytes(SlidingWindowLimiter.of(Limit.of(10, nanos(100))));
        SlidingWindowLimiter three = SlidingWindowLimiter.of(
                Limit.of(10, nanos(100)), Limit.of(20, nanos(200)), Limit.ofCalls(30, nanos(300)));

        assertThat(bytes(three)).isBetween(one + 2, one + 2 * 50);
    }

    @ParameterizedTest(name = "{0} permits")
    @ValueSource(ints = {10_000, MILLION})
    void tryAcquire_manyOfOnePermit_retainsLittleMoreThanEightBytesForEach(int n) {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, n);

        long allocated = Allocation.of(() -> acquire(limiter, 0, n, 1));

        assertThat(limiter.available(0)).isEqualTo((1L << 62) - n);
        long most = n * 82L / 10 + 8 * 1_024; // and one chunk
        assertThat(allocated).isLessThanOrEqualTo(most + 2 * 8 * 1_024); // so nothing was copied but the first chunk
        assertThat(bytes(limiter)).isLessThanOrEqualTo(most);
    }

    @Test
    void tryAcquire_aMillionOfSeveralPermits_retainsLittleMoreThanSixteenBytesForEach() {
        SlidingWindowLimiter limiter =
                SlidingWindowLimiter.of(Limit.of(1L << 62, nanos(MILLION)), Limit.ofCalls(1L << 62, nanos(MILLION)));

        acquire(limiter, 0, MILLION, 7);

        assertThat(bytes(limiter)).isLessThanOrEqualTo(MILLION * 164L / 10);
    }

    @ParameterizedTest(name = "but {0}")
    @ValueSource(ints = {0, 10})
    void tryAcquire_manyExpiredAtOnce_releasesTheirMemory(int left) {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, MILLION);
        acquire(limiter, 0, MILLION, 1);

        limiter.tryAcquire(2L * MILLION - left, 1);

        assertThat(limiter.available(0)).isEqualTo((1L << 62) - left - 1);
        assertThat(bytes(limiter)).isLessThanOrEqualTo(600);
    }

    @Test
    void tryAcquire_refusedForLong_retainsNothing() {
        SlidingWindowLimiter limiter =
                SlidingWindowLimiter.of(Limit.of(5, nanos(1L << 61)), Limit.ofCalls(3, nanos(10)));
        Limiters.acquiring(limiter, 0, 1, 2);
        long before = bytes(limiter);

        for (long time = 3; time < 100_000; time++) {
            assertThat(limiter.tryAcquire(time, 3)).isFalse();
            assertThat(limiter.tryAcquireOrDelay(time, 3)).isPositive();
            assertThat(limiter.reserve(time, 3, Duration.ZERO).isGranted()).isFalse();
        }

        assertThat(bytes(limiter)).isEqualTo(before);
    }

    /** Each is cancelled when some later ones have been reserved, so that it is not the newest any more. */
    @ParameterizedTest(name = "{0} later")
    @ValueSource(ints = {1, 1_000})
    void cancel_someLater_retainsNoMoreThanWhatIsLeft(int later) {
        SlidingWindowLimiter limiter = Limiters.of(MILLION, MILLION);
        ArrayDeque<Reservation> pending = new ArrayDeque<>();
        long most = 0;

        for (int i = 0; i < 100_000; i++) {
            pending.add(limiter.reserve(i, 1, ANY));
            if (pending.size() > later) {
                assertThat(pending.remove().cancel()).isTrue();
            }
            if (i % 1_000 == 0) {
                most = Math.max(most, bytes(limiter));
            }
        }

        assertThat(limiter.available(100_000)).isEqualTo(MILLION - later);
        assertThat(most).isLessThanOrEqualTo(500 + 2 * 16 * 3 * later);
        Invariants.check(limiter);
    }

    /** Returns how much of the heap it takes, without the limits: these are the caller's, and shared. */
    private static long bytes(SlidingWindowLimiter limiter) {
        return Memory.bytes(limiter)
                - limiter.limits().stream().mapToLong(Memory::bytes).sum();
    }

    private static void acquire(SlidingWindowLimiter limiter, long from, int count, int permits) {
        for (long time = from; time < from + count; time++) {
            if (!limiter.tryAcquire(time, permits)) {
                throw new AssertionError("refused");
            }
        }
    }
}
