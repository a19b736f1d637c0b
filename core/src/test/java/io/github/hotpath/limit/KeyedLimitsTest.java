package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of a {@link KeyedLimiter} that differ by key, and change. */
@Timeout(600)
class KeyedLimitsTest {
    private static final List<Limit> FREE = List.of(Limit.of(2, nanos(10)));
    private static final List<Limit> PRO = List.of(Limit.of(5, nanos(10)));

    private final Map<String, List<Limit>> plans = new HashMap<>(Map.of("pro", PRO));
    private final AtomicInteger asked = new AtomicInteger();
    private final KeyedLimiter<String> limiter = KeyedLimiter.of(key -> {
        asked.incrementAndGet();
        return plans.getOrDefault(key, FREE);
    });

    @Test
    void tryAcquire_limitsByKey_eachItsOwn() {
        assertThat(limiter.forKey("pro").tryAcquire(0, 5)).isTrue();
        assertThat(limiter.forKey("free").tryAcquire(0, 5)).isFalse();
        assertThat(limiter.forKey("free").tryAcquire(0, 2)).isTrue();
        assertThat(limiter.forKey("another").available(0)).isEqualTo(2);
        assertThat(limiter.size()).isEqualTo(2);
        assertThat(limiter.toString()).isEqualTo("KeyedLimiter[limits=by key, size=2]");
    }

    /** The best customers' plan is not the dearest: their keys stay until others that are added have them evicted. */
    @Test
    void tryAcquire_keysWithoutLimits_askedOnce() {
        int calls = 0;
        for (int round = 0; round < 100; round++) {
            for (int key = 0; key < 100; key++) {
                plans.put("unlimited " + key, List.of());
                assertThat(limiter.forKey("unlimited " + key).tryAcquire(round, 1_000))
                        .isTrue();
                calls++;
            }
            limiter.forKey("free " + round).tryAcquire(round, 1);
        }

        assertThat(asked).as("questions in %s calls", calls).hasValue(100 + 100);
    }

    @Test
    void updateLimits_all_changesEachKey() {
        limiter.forKey("a").tryAcquire(0, 2);
        limiter.forKey("b").tryAcquire(0, 1);
        plans.put("a", PRO);
        plans.put("b", List.of(Limit.of(1, nanos(100))));

        limiter.updateAllLimits();

        assertThat(limiter.forKey("a").available(0)).isEqualTo(3);
        assertThat(limiter.forKey("b").tryAcquireOrDelay(0, 1)).isEqualTo(101);
    }

    @Test
    void updateLimits_unknownKey_addsNothing() {
        limiter.updateLimits("free");

        assertThat(limiter.size()).isZero();
        assertThat(asked).hasValue(0);
    }

    @Test
    void updateLimits_functionThrows_keysBeforeAreUpdatedAndNoOtherIsHarmed() {
        limiter.forKey("a").tryAcquire(0, 1);
        plans.put("a", Arrays.asList((Limit) null));

        assertThatNullPointerException().isThrownBy(limiter::updateAllLimits);
        assertThat(limiter.forKey("a").available(0)).isEqualTo(1);
    }

    @Test
    void evictIdle_limitsByKey_byTheIntervalsOfEach() {
        plans.put("long", List.of(Limit.of(1, nanos(1_000))));
        limiter.forKey("long").tryAcquire(0, 1);
        limiter.forKey("free").tryAcquire(0, 1);

        limiter.evictIdle(11);

        assertThat(limiter.size()).isEqualTo(1);
        assertThat(limiter.forKey("long").available(11)).isZero();
        plans.put("long", FREE);
        limiter.updateLimits("long");
        assertThat(limiter.forKey("long").tryAcquire(11, 1)).isTrue();
        limiter.evictIdle(22);
        assertThat(limiter.size()).isZero();
    }

    /** A plan without limits: everything is granted and nothing counts, so that the key is idle. */
    @Test
    void limitsOf_noLimits_grantsEverything() {
        plans.put("none", List.of());
        Limiter unlimited = limiter.forKey("none");

        assertThat(unlimited.tryAcquire(0, Integer.MAX_VALUE)).isTrue();
        assertThat(unlimited.available(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(unlimited.decide(0, 1)).isEqualTo(new Decision(0, new Quota[0]));
        limiter.evictIdle(1);
        assertThat(limiter.size()).isZero();
    }

    /** Runs once, when the function of {@link #slow} has looked up its answer. */
    private Runnable meanwhile = () -> {};

    private final KeyedLimiter<String> slow = KeyedLimiter.of(key -> {
        List<Limit> answer = plans.getOrDefault(key, FREE);
        Runnable once = meanwhile;
        meanwhile = () -> {};
        once.run();
        return answer;
    });

    /** An answer that was asked for before an update or clear() began is not used when that has returned. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void updateLimitsOrClear_whileAKeyIsAdded_oldAnswerIsNotKept(boolean isCleared) {
        meanwhile = () -> {
            plans.put("key", PRO);
            if (isCleared) {
                slow.clear();
            } else {
                slow.updateAllLimits();
            }
        };

        assertThat(slow.forKey("key").tryAcquire(0, 1)).isTrue();

        assertThat(slow.forKey("key").available(0)).isEqualTo(4);
        Invariants.check(slow);
    }

    /** The one that began later has been told the newer limits. */
    @Test
    void updateLimits_duringAnUpdate_olderAnswerIsNotSet() {
        slow.forKey("key").tryAcquire(0, 1);
        meanwhile = () -> {
            plans.put("key", PRO);
            slow.updateLimits("key");
        };

        slow.updateLimits("key");

        assertThat(slow.forKey("key").available(0)).isEqualTo(4);
    }
}
