package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.window.Allocation;
import io.github.hotpath.window.FromAnyStart;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedLimiterTest {
    private final KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(2, nanos(10)));

    // of

    @Test
    void of_null_isRejected() {
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.of((Limit[]) null))
                .withMessage("limits");
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.of(Limit.of(1, nanos(1)), null))
                .withMessage("limits[1]");
    }

    @Test
    void of_noLimit_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(KeyedLimiter::of)
                .withMessage("limits: [] (expected: one or more)");
    }

    @Test
    void of_arrayChangedAfterwards_keepsTheLimits() {
        Limit[] limits = {Limit.of(2, nanos(10))};
        KeyedLimiter<String> copied = KeyedLimiter.of(limits);
        limits[0] = Limit.of(1, nanos(10));

        assertThat(copied.tryAcquire("a", 0, 2)).isTrue();
        assertThat(copied.toString())
                .isEqualTo("KeyedLimiter[limits=" + "[Limit[permits=2, interval=PT0.00000001S, perCall=false]]"
                        + ", size=1]");
    }

    // arguments

    @Test
    void any_nullKey_isRejected() {
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.tryAcquire(null, 0, 1))
                .withMessage("key");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.tryAcquireOrDelay(null, 0, 1))
                .withMessage("key");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.reserve(null, 0, 1, Duration.ZERO))
                .withMessage("key");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.available(null, 0))
                .withMessage("key");
        assertThat(limiter.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void any_lessThanOnePermit_isRejectedAndAddsNoKey(int permits) {
        String message = "permits: " + permits + " (expected: at least 1)";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire("a", 0, permits))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquireOrDelay("a", 0, permits))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.reserve("a", 0, permits, Duration.ZERO))
                .withMessage(message);
        assertThat(limiter.size()).isZero();
    }

    @Test
    void reserve_badDelay_isRejectedAndAddsNoKey() {
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.reserve("a", 0, 1, null))
                .withMessage("maxDelay");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.reserve("a", 0, 1, nanos(-1)))
                .withMessage("maxDelay: PT-0.000000001S (expected: zero or more)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.reserve("a", 0, 3, nanos(-1)))
                .withMessage("maxDelay: PT-0.000000001S (expected: zero or more)");
        assertThat(limiter.size()).isZero();
    }

    /** A call that has found the entry of a key before it was evicted must not count in it. */
    @Test
    void tryAcquire_ofARetiredLimiter_isRefused() {
        SlidingWindowLimiter evicted = Limiters.acquiring(Limiters.of(9, 10), 0);
        evicted.retire();

        assertThat(evicted.tryAcquire(1, 1)).isFalse();
        assertThat(evicted.tryAcquireOrDelay(1, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(evicted.tryAcquireOrDelay(2, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(evicted.available(2)).isEqualTo(8);
    }

    // each key by itself

    @FromAnyStart
    void tryAcquire_severalKeys_eachHasItsOwnLimit(long start) {
        for (String key : new String[] {"a", "b", "c"}) {
            assertThat(limiter.tryAcquire(key, start, 1)).isTrue();
            assertThat(limiter.available(key, start)).isEqualTo(1);
            assertThat(limiter.tryAcquire(key, start + 3, 1)).isTrue();
            assertThat(limiter.tryAcquire(key, start + 10, 1)).isFalse();
            assertThat(limiter.tryAcquireOrDelay(key, start + 4, 1)).isEqualTo(7);
            assertThat(limiter.tryAcquireOrDelay(key, start + 11, 1)).isZero();
        }
        assertThat(limiter.size()).isEqualTo(3);
    }

    @Test
    void tryAcquire_equalKey_isTheSame() {
        assertThat(limiter.tryAcquire("ab", 0, 2)).isTrue();

        assertThat(limiter.tryAcquire(String.join("", "a", "b"), 0, 1)).isFalse();
    }

    @Test
    void available_onlyCalls_isUnboundedForAnUnknownKey() {
        KeyedLimiter<Integer> calls = KeyedLimiter.of(Limit.ofCalls(1, nanos(10)));

        assertThat(calls.available(1, 0)).isEqualTo(Long.MAX_VALUE);
        assertThat(calls.tryAcquire(1, 0, Integer.MAX_VALUE)).isTrue();
        assertThat(calls.available(1, 0)).isZero();
    }

    @FromAnyStart
    void reserve_nextSlot_delaysAndIsCorrected(long start) {
        Reservation first = limiter.reserve("a", start, 2, Duration.ZERO);
        Reservation second = limiter.reserve("a", start + 1, 1, nanos(100));

        assertThat(first.delayNanos()).isZero();
        assertThat(second.delayNanos()).isEqualTo(10);
        assertThat(limiter.reserve("a", start + 1, 2, nanos(9)).isGranted()).isFalse();
        assertThat(first.adjustTo(1)).isTrue();
        assertThat(second.cancel()).isTrue();
        assertThat(limiter.available("a", start + 11)).isEqualTo(2);
    }

    // eviction

    @FromAnyStart
    void evictIdle_idleToTheNanosecond_evicts(long start) {
        limiter.tryAcquire("a", start, 1);
        limiter.tryAcquire("b", start + 1, 1);

        limiter.evictIdle(start + 10);
        assertThat(limiter.size()).isEqualTo(2);
        limiter.evictIdle(start + 11);
        assertThat(limiter.size()).isEqualTo(1);
        assertThat(limiter.available("b", start + 11)).isEqualTo(1);
        limiter.evictIdle(start + 12);
        assertThat(limiter.size()).isZero();
    }

    /** A reservation that has not been reached yet, and one that has been cancelled since. */
    @Test
    void evictIdle_slotPending_evictsNot() {
        limiter.tryAcquire("a", 0, 2);
        Reservation pending = limiter.reserve("a", 0, 1, nanos(100));
        assertThat(pending.cancel()).isTrue();

        limiter.evictIdle(10);

        assertThat(limiter.size()).isEqualTo(1);
        assertThat(limiter.available("a", 10)).isZero();
        limiter.evictIdle(11);
        assertThat(limiter.size()).isZero();
    }

    @FromAnyStart
    void reservation_ofAnEvictedKey_hasExpired(long start) {
        Reservation reservation = limiter.reserve("a", start, 1, Duration.ZERO);
        limiter.evictIdle(start + 11);

        assertThat(reservation.adjustTo(2)).isFalse();
        assertThat(reservation.cancel()).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> reservation.adjustTo(-1));
        assertThat(limiter.tryAcquire("a", start + 11, 2)).isTrue();
        assertThat(reservation.cancel()).isFalse();
        assertThat(limiter.available("a", start + 11)).isZero();
    }

    /** A key that is added after an eviction cannot be granted what would be refused at the eviction time. */
    @FromAnyStart
    void tryAcquire_beforeTheEvictionTime_isEvaluatedThere(long start) {
        limiter.tryAcquire("a", start, 1);
        limiter.evictIdle(start + 20);
        assertThat(limiter.size()).isZero();

        assertThat(limiter.tryAcquire("a", start + 5, 2)).isTrue();
        assertThat(limiter.tryAcquireOrDelay("a", start + 16, 1)).isEqualTo(15); // they count at 20
        assertThat(limiter.tryAcquire("a", start + 30, 1)).isFalse();
        assertThat(limiter.tryAcquire("a", start + 31, 1)).isTrue();
    }

    /** Nothing was evicted, so an earlier time is as good as any for a new key. */
    @Test
    void tryAcquire_earlierThanOtherKeys_isEvaluatedAtItsOwnTime() {
        limiter.tryAcquire("a", 100, 1);
        limiter.evictIdle(110);

        assertThat(limiter.tryAcquire("b", 0, 2)).isTrue();
        assertThat(limiter.tryAcquire("b", 11, 2)).isTrue();
    }

    /** An entry with a later latest time would be another one when it is added again. */
    @Test
    void evictIdle_beforeTheLatestTimeOfAKey_keepsIt() {
        limiter.tryAcquire("a", 0, 1);
        limiter.reserve("a", 100, 1, Duration.ZERO).cancel();

        limiter.evictIdle(50);
        assertThat(limiter.size()).isEqualTo(1);
        assertThat(limiter.tryAcquire("a", 95, 2)).isTrue();
        assertThat(limiter.tryAcquire("a", 106, 2)).isFalse(); // they count at 100
    }

    // clear

    @FromAnyStart
    void clear_keysAndEvictionTime_areGone(long start) {
        limiter.tryAcquire("a", start, 2);
        limiter.evictIdle(start + 1_000);
        limiter.tryAcquire("a", start + 1_000, 2);

        limiter.clear();

        assertThat(limiter.size()).isZero();
        assertThat(limiter.available("a", start)).isEqualTo(2);
        assertThat(limiter.tryAcquire("a", start, 2)).isTrue();
        assertThat(limiter.tryAcquire("a", start + 11, 2)).isTrue(); // not at the eviction time
    }

    @Test
    void clear_reservationsMadeBefore_areVoid() {
        Reservation before = limiter.reserve("a", 0, 1, Duration.ZERO);

        limiter.clear();
        limiter.tryAcquire("a", 0, 1);

        assertThat(before.adjustTo(2)).isFalse();
        assertThat(before.cancel()).isFalse();
        assertThat(limiter.available("a", 0)).isEqualTo(1);
    }

    // locks and memory

    /**
     * Known keys, and unknown ones, whether the key in use is idle or not: no thread waits for one with another key.
     */
    @ParameterizedTest
    @ValueSource(longs = {10, 11})
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // no interrupt ends the wait for a lock
    void any_lockOfAKeyHeldByAnotherThread_refusesItAndServesOthers(long nanos) throws Exception {
        limiter.tryAcquire("held", 0, 2);
        limiter.tryAcquire("other", 0, 1);
        PolledLock lock = lockOf("held");
        assertThat(lock.tryLock(PolledLock.ALONE)).isTrue(); // as if by another thread: it is not reentrant

        assertThat(limiter.tryAcquire("held", 10, 1)).isFalse();
        assertThat(limiter.tryAcquireOrDelay("held", 10, 1)).isEqualTo(1);
        assertThat(limiter.tryAcquire("other", 10, 1)).isTrue();
        assertThat(limiter.reserve("other", 10, 1, Duration.ZERO).isGranted()).isFalse();
        for (int i = 0; i < 100; i++) {
            assertThat(limiter.tryAcquire("new " + i, nanos, 1)).isTrue(); // which examines the one that is held
        }
        assertThat(limiter.available("new 1", nanos)).isEqualTo(1);
        lock.unlock();

        limiter.evictIdle(11);
        assertThat(limiter.size()).isEqualTo(101); // all but the one that was held
    }

    /** The age of such a reservation does not fit a signed long when it has expired. */
    @Test
    void evictIdle_aLeapNearTwoToThe62AfterAReservation_evicts() {
        for (long leap : new long[] {1L << 62, (1L << 62) + 5, Long.MAX_VALUE}) {
            KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(1, nanos(1L << 62)));
            limiter.reserve("cancelled", 0, 1, Duration.ZERO).cancel();

            limiter.evictIdle(leap);

            assertThat(limiter.size()).isZero();
        }
    }

    /** A key that can be compared with no other one of the same hash, when that is wanted. */
    private static final class Awkward {
        private final boolean[] throwing;

        Awkward(boolean[] throwing) {
            this.throwing = throwing;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            if (throwing[0]) {
                throw new IllegalStateException();
            }
            return this == other;
        }
    }

    /** The keys that a call examines are of others: it must not fail for them after its permits were acquired. */
    @Test
    void tryAcquire_equalsOfAnIdleKeyThrows_isGrantedAllTheSame() {
        KeyedLimiter<Object> limiter = KeyedLimiter.of(Limit.of(2, nanos(10)));
        boolean[] throwing = {false};
        Object first = new Awkward(throwing);
        Object second = new Awkward(throwing);
        limiter.tryAcquire(first, 0, 1);
        limiter.tryAcquire(second, 0, 1);
        limiter.tryAcquire(first, 5, 1); // so the second is idle first, and is compared with it when it is removed

        throwing[0] = true;
        for (int key = 2; key < 100; key++) {
            assertThat(limiter.tryAcquire(key, 11 + key, 1)).isTrue();
        }
        limiter.evictIdle(200);
        throwing[0] = false;

        assertThat(limiter.tryAcquire(second, 200, 1)).isTrue();
        assertThat(limiter.tryAcquire(first, 200, 1)).isTrue();
        limiter.evictIdle(1_000);
        assertThat(limiter.size()).isZero();
        limiter.checkInvariants();
    }

    private PolledLock lockOf(String key) throws ReflectiveOperationException {
        Field log = SlidingWindowLimiter.class.getDeclaredField("log");
        log.setAccessible(true);
        KeyedEntry<String> entry = limiter.map().get(key);
        assertThat(entry).isNotNull();
        return (PolledLock) log.get(entry.limiter);
    }

    /** Three permits in an interval, two and one: so no key is ever idle. */
    @Test
    void tryAcquireAndOrDelay_busyKeys_allocateNothing() {
        KeyedLimiter<String> three = KeyedLimiter.of(Limit.of(3, nanos(10)));
        String[] keys = IntStream.range(0, 100).mapToObj(String::valueOf).toArray(String[]::new);
        attempt(three, keys, 0);

        // Several times, since the JVM may allocate something once.
        assertThat(LongStream.of(1, 2, 3).map(i -> Allocation.of(() -> attempt(three, keys, i * 10_000))))
                .contains(0L);
    }

    private static void attempt(KeyedLimiter<String> limiter, String[] keys, long from) {
        for (long time = from; time < from + 10_000; time++) {
            for (String key : keys) {
                limiter.tryAcquire(key, time, 1);
                limiter.tryAcquireOrDelay(key, time, 1);
            }
        }
    }
}
