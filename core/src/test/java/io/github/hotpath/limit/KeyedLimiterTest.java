package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.testing.FromAnyStart;
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

    /** A call that has found the entry of a key before it was removed must not count in it, nor be refused by it. */
    @Test
    void acquire_ofARetiredEntry_decidesNothing() {
        limiter.forKey("a").tryAcquire(0, 2);
        KeyedEntry<String> entry = entry("a");
        assertThat(entry.log.refuses(1, 1)).isTrue();
        limiter.remove("a");

        assertThat(entry.log.refuses(1, 1)).isFalse();
        assertThat(entry.acquire(1, 1)).isEqualTo(Gate.AGAIN);
        assertThat(limiter.forKey("a").tryAcquire(1, 2)).isTrue();
    }

    /** The longest delay is a result as any other one is: the call does not begin again. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void any_refusedForEver_returns() {
        KeyedLimiter<String> suspended = KeyedLimiter.of(Limit.of(0, nanos(10)));
        for (Limiter key : List.of(
                suspended.forKey("a"),
                suspended.forKey("a"),
                Limiter.allOf(suspended.forKey("b"), limiter.forKey("b")))) {
            assertThat(key.tryAcquire(0, 1)).isFalse();
            assertThat(key.tryAcquireOrDelay(0, 1)).isEqualTo(Long.MAX_VALUE);
            assertThat(key.decide(0, 1).delayNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(key.reserve(0, 1, nanos(Long.MAX_VALUE)).delayNanos()).isEqualTo(Long.MAX_VALUE);
        }
    }

    /** Nor do they evict them, which would raise the eviction time by a call that changes nothing. */
    @Test
    void reads_ofAnyKey_examineNoOthers() {
        limiter.forKey("idle").tryAcquire(0, 1);
        limiter.forKey("idle too").tryAcquire(0, 1);
        entry("idle").log.setWasIdle(); // as after it was read: the next call that acquires examines others

        for (Limiter read : List.of(
                limiter.forKey("idle"),
                limiter.forKey("new"),
                Limiter.allOf(limiter.forKey("idle"), limiter.forKey("new"), Limiters.of(1, 10)))) {
            read.peek(1_000, 1);
            read.available(1_000);
            read.isIdle(1_000);
        }

        assertThat(limiter.size()).isEqualTo(2);
        assertThat(limiter.keys.map().hasEvicted()).isFalse();
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

    /** Otherwise a call with an earlier time could use up the limit a second time. */
    @Test
    void evictIdle_evicts_aKeyAddedLaterStartsAtThatTime() {
        limiter.forKey("a").tryAcquire(0, 2);
        limiter.evictIdle(20);

        assertThat(limiter.forKey("a").tryAcquire(5, 2)).isTrue(); // they count at 20

        assertThat(limiter.forKey("a").available(30)).isZero();
        assertThat(limiter.forKey("a").available(31)).isEqualTo(2);
    }

    /** Otherwise permits acquired at a time before the end would count then, where nothing would have been granted. */
    @Test
    void evictIdle_keyThatWasClosedAtTheEvictionTime_raisesIt() {
        limiter.forKey("a").tryAcquire(0, 1);
        limiter.evictIdle(20);
        limiter.forKey("b").closeFor(20, Duration.ofNanos(50));
        limiter.evictIdle(100);

        assertThat(limiter.forKey("b").tryAcquire(30, 2)).isTrue(); // they count at 100

        assertThat(limiter.forKey("b").available(110)).isZero();
    }

    // locks and memory

    /**
     * Known keys, and unknown ones, whether the key in use is idle or not: no thread waits for one with another key.
     */
    @ParameterizedTest
    @ValueSource(longs = {10, 11})
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // no interrupt ends the wait for a lock
    void any_lockOfAKeyHeldByAnotherThread_refusesItAndServesOthers(long nanos) throws Exception {
        limiter.forKey("held").tryAcquire(0, 2);
        limiter.forKey("other").tryAcquire(0, 1);
        PolledLock lock = entry("held").log;
        assertThat(lock.tryLock()).isTrue(); // as if by another thread: it is not reentrant

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

    private KeyedEntry<String> entry(String key) {
        KeyedEntry<String> entry = limiter.keys.map().get(key);
        assertThat(entry).isNotNull();
        return entry;
    }
}
