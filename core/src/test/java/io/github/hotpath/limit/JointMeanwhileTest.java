package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls on several limiters, one of which changes after its entry has been looked up: it is the function of limits of
 * another key that changes it, or that key itself, so no second thread is needed.
 */
@Timeout(60)
class JointMeanwhileTest {
    private final SlidingWindowLimiter service = Limiters.of(9, 100);
    private final AtomicReference<List<Limit>> plan = new AtomicReference<>(List.of(Limit.of(3, nanos(10))));
    private final KeyedLimiter<String> keyed = KeyedLimiter.of(key -> plan.get());

    /** What is done when the limits of a key of {@link #others} are asked for, once. */
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

    private final KeyedLimiter<String> others = KeyedLimiter.of(key -> {
        meanwhile.getAndSet(() -> {}).run();
        return List.of(Limit.of(9, nanos(10)));
    });

    /** Returns the key, the limiter of the service, and a key without entry. */
    private Limiter all(Runnable action) {
        meanwhile.set(action);
        return Limiter.allOf(keyed.forKey("a"), service, others.forKey("new"));
    }

    private void check() {
        keyed.checkInvariants();
        others.checkInvariants();
        service.checkInvariants();
    }

    /** How the entry of a key goes. Who evicts it may never come to remove it: the next call does. */
    private enum Gone {
        EVICTED,
        REMOVED,
        CLEARED,
        RETIRED
    }

    @ParameterizedTest
    @EnumSource
    void reserve_entryGoneMeanwhile_countsInItsNewEntry(Gone gone) {
        keyed.forKey("a").tryAcquire(0, 1);
        KeyedEntry<String> entry = requireNonNull(keyed.map().get("a"));
        Runnable action = switch (gone) {
            case EVICTED -> () -> keyed.evictIdle(20);
            case REMOVED -> () -> keyed.remove("a");
            case CLEARED -> keyed::clear;
            case RETIRED -> entry::retire;
        };
        int time = gone == Gone.EVICTED ? 20 : 0;

        Reservation reservation = all(action).reserve(time, 3, nanos(5));

        assertThat(reservation.delayNanos()).isZero();
        assertThat(keyed.forKey("a").available(time)).isZero();
        assertThat(service.available(time)).isEqualTo(6);
        assertThat(reservation.adjustTo(1)).isTrue();
        assertThat(keyed.forKey("a").available(time)).isEqualTo(2);
        check();
    }

    /** The entry that was made is not needed: another call has added one. */
    @Test
    void decide_keyAddedMeanwhile_countsInThatEntry() {
        Decision decision = all(() -> keyed.forKey("a").tryAcquire(0, 2)).decide(0, 1);

        assertThat(decision.isGranted()).isTrue();
        assertThat(decision.quotas()).extracting(Quota::remaining).containsExactly(0L, 8L, 8L);
        assertThat(keyed.size()).isEqualTo(1);
        check();
    }

    /** The key had nothing left before the service had one. */
    @Test
    void available_keyAddedMeanwhile_isSeenBeforeWhatCameLater() {
        Runnable action = () -> {
            keyed.forKey("a").tryAcquire(0, 3);
            service.tryAcquire(0, 8);
        };

        assertThat(all(action).available(0)).isZero();
        assertThat(others.size()).isZero();
        check();
    }

    /** The key had two left before the service had four. */
    @Test
    void available_limitsUpdatedMeanwhile_areSeenBeforeWhatCameLater() {
        Runnable action = () -> {
            plan.set(List.of(Limit.of(2, nanos(10))));
            keyed.updateAllLimits();
            service.tryAcquire(0, 5);
        };
        plan.set(List.of(Limit.of(5, nanos(10))));

        assertThat(all(action).available(0)).isEqualTo(2);
        assertThat(keyed.size()).isZero();
        check();
    }

    @Test
    void tryAcquire_limitsUpdatedMeanwhile_keyHasTheNewOnes() {
        Runnable action = () -> {
            plan.set(List.of(Limit.of(2, nanos(10))));
            keyed.updateAllLimits();
        };

        assertThat(all(action).tryAcquireOrDelay(0, 3)).isEqualTo(Long.MAX_VALUE);
        assertThat(keyed.size() + others.size()).isZero();
        assertThat(service.isIdle(0)).isTrue();
        check();
    }

    /** A key that is added begins with the eviction time, though it was earlier when its entry was made. */
    @Test
    void tryAcquire_evictionTimeRaisedMeanwhile_countsThere() {
        keyed.forKey("idle").tryAcquire(0, 1);

        assertThat(all(() -> keyed.evictIdle(50)).tryAcquire(20, 1)).isTrue();

        assertThat(keyed.forKey("a").available(60)).isEqualTo(2); // it counts at 50
        assertThat(keyed.forKey("a").available(61)).isEqualTo(3);
        assertThat(service.available(120)).isEqualTo(8); // and here at 20
        assertThat(service.available(121)).isEqualTo(9);
        check();
    }

    /** It would have closed the key until 30, and the key begins at 50 now. */
    @Test
    void closeFor_evictionTimeRaisedMeanwhile_addsNoKey() {
        keyed.forKey("idle").tryAcquire(0, 1);
        others.forKey("idle").tryAcquire(0, 1);
        meanwhile.set(() -> {
            keyed.evictIdle(50);
            others.evictIdle(50);
        });

        Limiter.allOf(keyed.forKey("a"), others.forKey("new")).closeFor(20, nanos(10));

        assertThat(keyed.size() + others.size()).isZero();
        assertThat(keyed.forKey("a").tryAcquire(50, 3)).isTrue();
        check();
    }

    /** The first key is not closed, since it begins after the end, and is added by another call meanwhile. */
    @Test
    void closeFor_keyThatItDoesNotCloseAddedMeanwhile_closesTheOther() {
        keyed.forKey("idle").tryAcquire(0, 1);
        keyed.evictIdle(50);
        meanwhile.set(() -> keyed.forKey("a").tryAcquire(50, 2));

        Limiter.allOf(keyed.forKey("a"), others.forKey("new")).closeFor(20, nanos(10));

        assertThat(keyed.forKey("a").available(50)).isEqualTo(1);
        assertThat(others.forKey("new").available(29)).isZero();
        assertThat(others.forKey("new").available(30)).isEqualTo(9);
        check();
    }

    /** A key whose entry is found, and which does something meanwhile: keys are looked up one after the other. */
    private static final class Doing {
        private Runnable action = () -> {};

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            Runnable now = action;
            action = () -> {};
            now.run();
            return 0;
        }
    }

    /** Also if all keys have entries, and permits to spare. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tryAcquire_keysToSpareClearedMeanwhile_countsInTheNewEntry(boolean isAll) {
        KeyedLimiter<Doing> doing = KeyedLimiter.of(Limit.of(9, nanos(10)));
        Doing key = new Doing();
        Limiter all = Limiter.allOf(keyed.forKey("a"), doing.forKey(key));
        assertThat(all.tryAcquire(0, 1)).isTrue();

        key.action = isAll ? keyed::clear : () -> keyed.remove("a");
        assertThat(all.tryAcquire(1, 1)).isTrue();
        assertThat(keyed.forKey("a").available(1)).isEqualTo(2);
        key.action = isAll ? keyed::clear : () -> keyed.remove("a");
        assertThat(all.tryAcquireOrDelay(2, 1)).isZero();

        assertThat(keyed.forKey("a").available(2)).isEqualTo(2);
        assertThat(doing.forKey(key).available(2)).isEqualTo(6);
        check();
    }

    /** An update that finds a key that has just been cleared changes nothing. */
    @Test
    void updateLimits_keyClearedMeanwhile_isAsNew() {
        AtomicReference<KeyedLimiter<String>> itself = new AtomicReference<>();
        AtomicReference<List<Limit>> limits = new AtomicReference<>(List.of(Limit.of(3, nanos(10))));
        itself.set(KeyedLimiter.of(key -> {
            meanwhile.getAndSet(() -> {}).run();
            return limits.get();
        }));
        itself.get().forKey("a").tryAcquire(0, 3);
        limits.set(List.of(Limit.of(4, nanos(10))));
        meanwhile.set(() -> itself.get().remove("a"));

        itself.get().updateLimits("a");

        assertThat(itself.get().size()).isZero();
        assertThat(itself.get().forKey("a").tryAcquire(0, 4)).isTrue();
        itself.get().checkInvariants();
    }

    /** The answer that was asked for first is not set over that of a later update. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void updateLimits_anotherUpdateMeanwhile_laterAnswerIsInForce(boolean isOfAll) {
        AtomicReference<KeyedLimiter<String>> itself = new AtomicReference<>();
        AtomicReference<List<Limit>> limits = new AtomicReference<>(List.of(Limit.of(3, nanos(10))));
        itself.set(KeyedLimiter.of(key -> {
            List<Limit> answer = limits.get();
            meanwhile.getAndSet(() -> {}).run();
            return answer;
        }));
        itself.get().forKey("a").tryAcquire(0, 3);
        meanwhile.set(() -> {
            limits.set(List.of(Limit.of(5, nanos(10))));
            if (isOfAll) {
                itself.get().updateAllLimits();
            } else {
                itself.get().updateLimits("a");
            }
        });

        itself.get().updateLimits("a");

        assertThat(itself.get().forKey("a").available(0)).isEqualTo(2);
    }
}
