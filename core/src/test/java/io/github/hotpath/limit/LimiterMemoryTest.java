package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.Allocation;
import io.github.hotpath.window.Seed;
import io.github.hotpath.window.Structure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link SlidingWindowLimiter} allocates and retains, to the byte. */
class LimiterMemoryTest {
    private static final Duration ANY = Duration.ofSeconds(Long.MAX_VALUE);
    private static final int MILLION = 1_000_000;

    // allocated

    @ParameterizedTest(name = "{0} permits")
    @ValueSource(ints = {1, 2, 3, 4, 7, 8, 9, 40, 100, 500, 1_000, 1_023, 1_024, 1_025, 1_500, 2_049, 10_000})
    void tryAcquire_steady_allocatesNothing(int n) {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, n - 1);
        acquire(limiter, 0, 3 * n + 10_000, 1);

        Allocation.assertNone(() -> acquire(limiter, 3 * n + 10_000, 100_000, 1));
    }

    @ParameterizedTest(name = "{0} permits")
    @ValueSource(ints = {1, 9, 100, 1_025, 10_000})
    void tryAcquire_steadyOfSeveralPermitsUnderSeveralLimits_allocatesNothing(int n) {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(
                Limit.of(1L << 62, nanos(n - 1)),
                Limit.ofCalls(1L << 62, nanos(n - 1)),
                Limit.of(1L << 62, nanos(n / 2)));
        acquireSeveral(limiter, 0, 3 * n + 10_000);

        Allocation.assertNone(() -> acquireSeveral(limiter, 3 * n + 10_000, 100_000));
    }

    /** Every seventh has the time of the one before. */
    private static void acquireSeveral(SlidingWindowLimiter limiter, long from, int count) {
        for (long time = from; time < from + count; time++) {
            limiter.tryAcquire(time % 7 == 0 ? time - 1 : time, 1 + (int) (time % 5));
        }
    }

    @ParameterizedTest(name = "{0} permits")
    @ValueSource(ints = {1, 3, 1_000})
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

    /** A log that shrank with every lull would have to grow again. */
    @ParameterizedTest(name = "{0} permits")
    @ValueSource(ints = {1, 3, 5})
    void tryAcquire_uneven_allocatesNothing(int n) {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, 1_000L * n);
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

            assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(240);
        }
    }

    @Test
    void tryAcquire_threePermitsUnderTwoLimits_retainsLittle() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.ofCalls(10, nanos(100)), Limit.of(10, nanos(10)));

        Limiters.acquiring(limiter, 0, 1, 2);

        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(240 + 40);
    }

    @ParameterizedTest(name = "{0} permits each")
    @ValueSource(ints = {1, 2})
    void tryAcquire_threeAtATimeForLong_retainsLittle(int permits) {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, 2);

        acquire(limiter, 0, 100_000, permits);

        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(permits == 1 ? 240 : 272);
    }

    @Test
    void tryAcquire_aMillionOfOnePermit_retainsLittleMoreThanEightBytesForEach() {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, MILLION);

        long allocated = Allocation.of(() -> acquire(limiter, 0, MILLION, 1));

        assertThat(limiter.available(0)).isEqualTo((1L << 62) - MILLION);
        assertThat(allocated).isLessThanOrEqualTo(MILLION * 82L / 10); // so nothing was copied on the way
        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(MILLION * 82L / 10);
    }

    @Test
    void tryAcquire_aMillionOfSeveralPermits_retainsLittleMoreThanSixteenBytesForEach() {
        SlidingWindowLimiter limiter =
                SlidingWindowLimiter.of(Limit.of(1L << 62, nanos(MILLION)), Limit.ofCalls(1L << 62, nanos(MILLION)));

        acquire(limiter, 0, MILLION, 7);

        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(MILLION * 164L / 10);
    }

    @Test
    void tryAcquire_aMillionAtOneTime_isOneEntry() {
        SlidingWindowLimiter limiter =
                SlidingWindowLimiter.of(Limit.of(MILLION, nanos(10)), Limit.ofCalls(MILLION, nanos(10)));

        for (int i = 0; i < MILLION; i++) {
            assertThat(limiter.tryAcquire(5, 1)).isTrue();
        }

        assertThat(limiter.tryAcquire(5, 1)).isFalse();
        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(240 + 40 + 32);
    }

    @ParameterizedTest(name = "but {0}")
    @ValueSource(ints = {0, 10})
    void tryAcquire_manyExpiredAtOnce_releasesTheirMemory(int left) {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, MILLION);
        acquire(limiter, 0, MILLION, 1);

        limiter.tryAcquire(2L * MILLION - left, 1);

        assertThat(limiter.available(0)).isEqualTo((1L << 62) - left - 1);
        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(600);
    }

    @Test
    void tryAcquire_manyExpiredInSteps_releasesTheirMemoryAtEach() {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, MILLION);
        acquire(limiter, 0, MILLION, 1);

        for (long left = MILLION / 2; left > 0; left /= 2) {
            limiter.tryAcquire(2L * MILLION - left, 1);
            limiter.available(0);

            assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(82 * left / 10 + 3 * 8 * 1024 + 600);
        }
    }

    /** Without a read what has expired is released when a chunk is full. */
    @Test
    void tryAcquire_halfExpired_releasesTheirMemoryAfterAChunkOfGrants() {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, MILLION);
        acquire(limiter, 0, MILLION, 1);

        acquire(limiter, MILLION + MILLION / 2, 1_024, 1);

        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(82L * MILLION / 20 + 3 * 8 * 1024 + 600);
    }

    /** Nor is a full chunk waited for when the interval has passed. */
    @Test
    void tryAcquire_seldomAfterMany_releasesTheirMemoryAfterAnInterval() {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, 100_000);
        acquire(limiter, 0, 100_000, 1);

        for (long time = 110_000; time <= 310_000; time += 10_000) {
            limiter.tryAcquire(time, 1);
        }

        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(240 + 3 * 8 * 1_024);
    }

    /** One by one, or a few at a time, so that a chunk empties step by step. */
    @ParameterizedTest(name = "of {0}")
    @ValueSource(ints = {20, 50, 100, 300, 1_000, 3_000})
    void reserve_othersExpireStepByStep_retainsLittle(int n) {
        for (int few = 1; few <= 9; few++) {
            SlidingWindowLimiter limiter = Limiters.of(1L << 62, 10 * n);
            for (int i = 0; i < n; i++) {
                limiter.tryAcquire(i, 1);
            }

            for (long time = 10 * n; time < 11 * n; time += few) {
                limiter.reserve(time, 1, ANY).cancel();
            }

            int left = n - (n - 1) / few * few;
            assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(240 + 16 * Math.max(32, 8 * left));
        }
    }

    @Test
    void tryAcquire_refusedForLong_retainsNothing() {
        SlidingWindowLimiter limiter =
                SlidingWindowLimiter.of(Limit.of(5, nanos(1L << 61)), Limit.ofCalls(3, nanos(10)));
        Limiters.acquiring(limiter, 0, 1, 2);
        long before = Structure.bytes(limiter);

        for (long time = 3; time < 100_000; time++) {
            assertThat(limiter.tryAcquire(time, 3)).isFalse();
            assertThat(limiter.tryAcquireOrDelay(time, 3)).isPositive();
            assertThat(limiter.reserve(time, 3, Duration.ZERO).isGranted()).isFalse();
        }

        assertThat(Structure.bytes(limiter)).isEqualTo(before);
    }

    @Test
    void cancel_aMillionInTurn_retainsNothing() {
        SlidingWindowLimiter limiter = Limiters.of(1_000, MILLION);
        acquire(limiter, 0, 500, 1);
        limiter.reserve(500, 2, ANY);
        long before = Structure.bytes(limiter);

        for (int i = 0; i < MILLION; i++) {
            assertThat(limiter.reserve(501 + i / 100, 400, ANY).cancel()).isTrue();
        }

        assertThat(Structure.bytes(limiter)).isEqualTo(before);
        limiter.checkInvariants();
    }

    /** A chunk of single permits is widened once. */
    @Test
    void cancel_manyInTurnAmongSinglePermits_retainsNoMoreThanAColumn() {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, MILLION);
        acquire(limiter, 0, 5_000, 1);
        long before = Structure.bytes(limiter);

        for (int i = 0; i < 100_000; i++) {
            assertThat(limiter.reserve(5_000 + i, 1, ANY).cancel()).isTrue();
        }

        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(before + 8 * 1_024);
    }

    /** Each is cancelled when some later ones have been reserved, so that it is not the newest any more. */
    @ParameterizedTest(name = "{0} later")
    @ValueSource(ints = {1, 10, 1_000})
    void cancel_aMillionSomeLater_retainsNoMoreThanWhatIsLeft(int later) {
        SlidingWindowLimiter limiter = Limiters.of(MILLION, MILLION);
        ArrayDeque<Reservation> pending = new ArrayDeque<>();
        long most = 0;

        for (int i = 0; i < 300_000; i++) {
            pending.add(limiter.reserve(i, 1, ANY));
            if (pending.size() > later) {
                assertThat(pending.remove().cancel()).isTrue();
            }
            if (i % 1_000 == 0) {
                most = Math.max(most, Structure.bytes(limiter));
            }
        }

        assertThat(limiter.available(300_000)).isEqualTo(MILLION - later);
        assertThat(most).isLessThanOrEqualTo(500 + 2 * 16 * 3 * later);
        limiter.checkInvariants();
    }

    @Test
    void cancel_allButEveryHundredthInAnyOrder_retainsNoMoreThanTwiceWhatIsLeft() {
        SlidingWindowLimiter limiter = Limiters.of(MILLION, MILLION);
        SplittableRandom random = Seed.random("cancel in any order");
        List<Reservation> pending = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            pending.add(limiter.reserve(i, 1, ANY));
        }

        while (pending.size() > 1_000) {
            int cancelled = random.nextInt(pending.size());
            assertThat(pending.get(cancelled).cancel()).isTrue();
            pending.set(cancelled, pending.get(pending.size() - 1));
            pending.remove(pending.size() - 1);
        }

        limiter.checkInvariants();
        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(2 * 16 * 1_000 + 3 * 16 * 1_024);
    }

    /** Fewer than half are cancelled, but when the others expire hardly any that count are left. */
    @Test
    void tryAcquire_othersThanTheCancelledHaveExpired_releasesTheirMemory() {
        SlidingWindowLimiter limiter = Limiters.of(MILLION, MILLION);
        acquire(limiter, 0, MILLION / 2, 1);
        List<Reservation> reservations = new ArrayList<>();
        for (int i = 0; i < MILLION / 4; i++) {
            reservations.add(limiter.reserve(MILLION / 2 + i, 1, ANY));
        }
        limiter.tryAcquire(MILLION - 1, 1);
        reservations.forEach(Reservation::cancel);

        limiter.tryAcquire(MILLION + MILLION / 2, 1);

        limiter.checkInvariants();
        assertThat(limiter.available(0)).isEqualTo(MILLION - 2);
        assertThat(Structure.bytes(limiter)).isLessThanOrEqualTo(600);
    }

    @Test
    void clear_large_isAsNew() {
        SlidingWindowLimiter limiter = Limiters.of(1L << 62, MILLION);
        long before = Structure.bytes(limiter);
        acquire(limiter, 0, 10_000, 2);

        limiter.clear();

        assertThat(Structure.bytes(limiter)).isEqualTo(before);
    }

    @Test
    void reservation_any_isSmall() {
        SlidingWindowLimiter limiter = Limiters.of(1, 10);
        long before = Structure.bytes(limiter);

        assertThat(Structure.bytes(limiter.reserve(0, 1, ANY))).isLessThanOrEqualTo(before + 96);
    }

    private static void acquire(SlidingWindowLimiter limiter, long from, int count, int permits) {
        for (long time = from; time < from + count; time++) {
            if (!limiter.tryAcquire(time, permits)) {
                throw new AssertionError("refused");
            }
        }
    }
}
