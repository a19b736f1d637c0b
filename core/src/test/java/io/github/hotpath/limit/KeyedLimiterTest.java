package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.window.FromAnyStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedLimiterTest {
    private final KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(2, nanos(10)));

    // of

    @Test
    void of_listChangedAfterwards_keepsTheLimits() {
        List<Limit> limits = new ArrayList<>(List.of(Limit.of(2, nanos(10))));
        KeyedLimiter<String> copied = KeyedLimiter.of(limits);
        limits.set(0, Limit.of(1, nanos(10)));

        assertThat(copied.forKey("a").tryAcquire(0, 2)).isTrue();
        assertThat(copied.toString())
                .isEqualTo("KeyedLimiter[limits=[Limit[max=2, interval=PT0.00000001S, perCall=false]]" + ", size=1]");
    }

    /** A call that has found the entry of a key before it was evicted must not count in it. */
    @Test
    void acquire_ofARetiredGate_decidesNothing() {
        SlidingWindowLimiter evicted = Limiters.acquiring(Limiters.of(9, 10), 0);
        evicted.retire();

        assertThat(evicted.acquire(1, 1)).isEqualTo(Gate.NOT_READY);
        assertThat(evicted.acquireOrDelay(1, 1)).isEqualTo(Gate.NOT_READY);
    }

    // each key by itself

    @FromAnyStart
    void tryAcquire_severalKeys_eachHasItsOwnLimit(long start) {
        for (String key : new String[] {"a", "b", "c"}) {
            assertThat(limiter.forKey(key).tryAcquire(start, 1)).isTrue();
            assertThat(limiter.forKey(key).available(start)).isEqualTo(1);
            assertThat(limiter.forKey(key).tryAcquire(start + 3, 1)).isTrue();
            assertThat(limiter.forKey(key).tryAcquire(start + 10, 1)).isFalse();
            assertThat(limiter.forKey(key).tryAcquireOrDelay(start + 4, 1)).isEqualTo(7);
            assertThat(limiter.forKey(key).tryAcquireOrDelay(start + 11, 1)).isZero();
        }
        assertThat(limiter.size()).isEqualTo(3);
    }

    @Test
    void tryAcquire_equalKey_isTheSame() {
        assertThat(limiter.forKey("ab").tryAcquire(0, 2)).isTrue();

        assertThat(limiter.forKey(String.join("", "a", "b")).tryAcquire(0, 1)).isFalse();
    }

    @Test
    void available_onlyCalls_isUnboundedForAnUnknownKey() {
        KeyedLimiter<Integer> calls = KeyedLimiter.of(Limit.ofCalls(1, nanos(10)));

        assertThat(calls.forKey(1).available(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(calls.forKey(1).tryAcquire(0, Integer.MAX_VALUE)).isTrue();
        assertThat(calls.forKey(1).available(0)).isZero();
    }

    @FromAnyStart
    void reserve_nextSlot_delaysAndIsCorrected(long start) {
        Reservation first = limiter.forKey("a").reserve(start, 2, Duration.ZERO);
        Reservation second = limiter.forKey("a").reserve(start + 1, 1, nanos(100));

        assertThat(first.delayNanos()).isZero();
        assertThat(second.delayNanos()).isEqualTo(10);
        assertThat(limiter.forKey("a").reserve(start + 1, 2, nanos(9)).isGranted())
                .isFalse();
        assertThat(first.adjustTo(1)).isTrue();
        assertThat(second.cancel()).isTrue();
        assertThat(limiter.forKey("a").available(start + 11)).isEqualTo(2);
    }

    // eviction

    /**
     * Entries expired by a time of their own, and limits began anew (fastmcp#4057, kubernetes/community#945,
     * redisson#3260).
     */
    @FromAnyStart
    void evictIdle_idleToTheNanosecond_evicts(long start) {
        limiter.forKey("a").tryAcquire(start, 1);
        limiter.forKey("b").tryAcquire(start + 1, 1);

        limiter.evictIdle(start + 10);
        assertThat(limiter.size()).isEqualTo(2);
        limiter.evictIdle(start + 11);
        assertThat(limiter.size()).isEqualTo(1);
        assertThat(limiter.forKey("b").available(start + 11)).isEqualTo(1);
        limiter.evictIdle(start + 12);
        assertThat(limiter.size()).isZero();
    }

    /** A reservation that has not been reached yet, and one that has been cancelled since. */
    @Test
    void evictIdle_slotPending_evictsNot() {
        limiter.forKey("a").tryAcquire(0, 2);
        Reservation pending = limiter.forKey("a").reserve(0, 1, nanos(100));
        assertThat(pending.cancel()).isTrue();

        limiter.evictIdle(10);

        assertThat(limiter.size()).isEqualTo(1);
        assertThat(limiter.forKey("a").available(10)).isZero();
        limiter.evictIdle(11);
        assertThat(limiter.size()).isZero();
    }

    @FromAnyStart
    void reservation_ofAnEvictedKey_hasExpired(long start) {
        Reservation reservation = limiter.forKey("a").reserve(start, 1, Duration.ZERO);
        limiter.evictIdle(start + 11);

        assertThat(reservation.adjustTo(2)).isFalse();
        assertThat(reservation.cancel()).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> reservation.adjustTo(-1));
        assertThat(limiter.forKey("a").tryAcquire(start + 11, 2)).isTrue();
        assertThat(reservation.cancel()).isFalse();
        assertThat(limiter.forKey("a").available(start + 11)).isZero();
    }

    /** A key that is added after an eviction cannot be granted what would be refused at the eviction time. */
    @FromAnyStart
    void tryAcquire_beforeTheEvictionTime_isEvaluatedThere(long start) {
        limiter.forKey("a").tryAcquire(start, 1);
        limiter.evictIdle(start + 20);
        assertThat(limiter.size()).isZero();

        assertThat(limiter.forKey("a").tryAcquire(start + 5, 2)).isTrue();
        assertThat(limiter.forKey("a").tryAcquireOrDelay(start + 16, 1)).isEqualTo(15); // they count at 20
        assertThat(limiter.forKey("a").tryAcquire(start + 30, 1)).isFalse();
        assertThat(limiter.forKey("a").tryAcquire(start + 31, 1)).isTrue();
    }

    /** Nothing was evicted, so an earlier time is as good as any for a new key. */
    @Test
    void tryAcquire_earlierThanOtherKeys_isEvaluatedAtItsOwnTime() {
        limiter.forKey("a").tryAcquire(100, 1);
        limiter.evictIdle(110);

        assertThat(limiter.forKey("b").tryAcquire(0, 2)).isTrue();
        assertThat(limiter.forKey("b").tryAcquire(11, 2)).isTrue();
    }

    /** An entry with a later latest time would be another one when it is added again. */
    @Test
    void evictIdle_beforeTheLatestTimeOfAKey_keepsIt() {
        limiter.forKey("a").tryAcquire(0, 1);
        limiter.forKey("a").reserve(100, 1, Duration.ZERO).cancel();

        limiter.evictIdle(50);
        assertThat(limiter.size()).isEqualTo(1);
        assertThat(limiter.forKey("a").tryAcquire(95, 2)).isTrue();
        assertThat(limiter.forKey("a").tryAcquire(106, 2)).isFalse(); // they count at 100
    }

    // clear

    @FromAnyStart
    void clear_keysAndEvictionTime_areGone(long start) {
        limiter.forKey("a").tryAcquire(start, 2);
        limiter.evictIdle(start + 1_000);
        limiter.forKey("a").tryAcquire(start + 1_000, 2);

        limiter.clear();

        assertThat(limiter.size()).isZero();
        assertThat(limiter.forKey("a").available(start)).isEqualTo(2);
        assertThat(limiter.forKey("a").tryAcquire(start, 2)).isTrue();
        assertThat(limiter.forKey("a").tryAcquire(start + 11, 2)).isTrue(); // not at the eviction time
    }

    @Test
    void clear_reservationsMadeBefore_areVoid() {
        Reservation before = limiter.forKey("a").reserve(0, 1, Duration.ZERO);

        limiter.clear();
        limiter.forKey("a").tryAcquire(0, 1);

        assertThat(before.adjustTo(2)).isFalse();
        assertThat(before.cancel()).isFalse();
        assertThat(limiter.forKey("a").available(0)).isEqualTo(1);
    }

    // locks and memory

    /**
     * Known keys, and unknown ones, whether the key in use is idle or not: no thread waits for one with another key.
     */
    @ParameterizedTest
    @ValueSource(longs = {10, 11})
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // no interrupt ends the wait for a lock
    void any_lockOfAKeyHeldByAnotherThread_refusesItAndServesOthers(long nanos) throws Exception {
        limiter.forKey("held").tryAcquire(0, 2);
        limiter.forKey("other").tryAcquire(0, 1);
        PolledLock lock = lockOf("held");
        assertThat(lock.tryLock(PolledLock.ALONE)).isTrue(); // as if by another thread: it is not reentrant

        assertThat(limiter.forKey("held").tryAcquire(10, 1)).isFalse();
        assertThat(limiter.forKey("held").tryAcquireOrDelay(10, 1)).isEqualTo(1);
        assertThat(limiter.forKey("other").tryAcquire(10, 1)).isTrue();
        assertThat(limiter.forKey("other").reserve(10, 1, Duration.ZERO).isGranted())
                .isFalse();
        for (int i = 0; i < 100; i++) {
            assertThat(limiter.forKey("new " + i).tryAcquire(nanos, 1)).isTrue(); // which examines the one that is held
        }
        assertThat(limiter.forKey("new 1").available(nanos)).isEqualTo(1);
        lock.unlock();

        limiter.evictIdle(11);
        assertThat(limiter.size()).isEqualTo(101); // all but the one that was held
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
        limiter.forKey(first).tryAcquire(0, 1);
        limiter.forKey(second).tryAcquire(0, 1);
        limiter.forKey(first)
                .tryAcquire(5, 1); // so the second is idle first, and is compared with it when it is removed

        throwing[0] = true;
        for (int key = 2; key < 100; key++) {
            assertThat(limiter.forKey(key).tryAcquire(11 + key, 1)).isTrue();
        }
        limiter.evictIdle(200);
        throwing[0] = false;

        assertThat(limiter.forKey(second).tryAcquire(200, 1)).isTrue();
        assertThat(limiter.forKey(first).tryAcquire(200, 1)).isTrue();
        limiter.evictIdle(1_000);
        assertThat(limiter.size()).isZero();
        limiter.checkInvariants();
    }

    private PolledLock lockOf(String key) {
        KeyedEntry<String> entry = limiter.map().get(key);
        assertThat(entry).isNotNull();
        return entry.log;
    }

    /** A refused call removes the entry that it has added only if nothing has happened to it by then. */
    @Test
    void removeIfFresh_usedWhileWaitingForTheLock_keepsTheEntry() throws InterruptedException {
        KeyMap<String> map = limiter.map();
        KeyedEntry<String> entry = map.add(new KeyedEntry<>("a", map.epoch, List.of(Limit.of(1, nanos(10)))));
        assertThat(entry.log.tryLock(PolledLock.ALONE)).isTrue();
        Thread refused = new Thread(() -> map.removeIfFresh(entry));
        refused.start();
        while (refused.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        entry.grant(0, 0, 9);
        entry.log.unlock();
        refused.join();

        assertThat(entry.isRetired()).isFalse();
        assertThat(map.get("a")).isSameAs(entry);
    }
}
