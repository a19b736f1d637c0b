package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.hotpath.testing.Seed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How many entries a {@link KeyedLimiter} has, for traffic that tries to make them many: at most four times as many as
 * there were keys not idle at any one moment since the last full rotation, and 64.
 */
class KeyedLimiterBoundTest {
    private static final long INTERVAL = 1_000;

    private final KeyedLimiter<Integer> limiter = KeyedLimiter.of(Limit.of(2, Duration.ofNanos(INTERVAL)));
    private long time;
    private int nextKey;

    private void add() {
        assertThat(limiter.forKey(nextKey++).tryAcquire(time, 1)).isTrue();
    }

    /** Advances until everything is idle. */
    private void pass() {
        time += INTERVAL + 1;
    }

    private static int bound(int busy) {
        return 4 * busy + 64;
    }

    /**
     * Everything that would be examined is used just before, so that nothing that is examined is ever idle. Elsewhere keys
     * never expired, until memory ran out (nvcf#1571, redisson#4301, #4813, spring-ai-agentcore#51).
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 30})
    void add_whatComesNextIsKeptBusy_bound(int busy) {
        add();
        for (int i = 0; i < 2_000; i++) {
            for (KeyedEntry<Integer> next : next(busy)) {
                assertThat(limiter.forKey(next.key).tryAcquire(time, 1)).isTrue();
            }
            add();
            assertThat(limiter.size()).isLessThanOrEqualTo(bound(busy + 1));
            pass();
        }
    }

    /** Also if another rotation, of fewer entries, begins within the call: whenever the last ones become idle. */
    @Test
    void add_manyHaveBecomeIdle_evictsAtMostAnEighthOfThemAndEight() {
        int keys = 800;
        int calls = 150;
        for (int last = 0; last < calls; last++) {
            limiter.clear();
            for (int key = 0; key < keys; key++) {
                limiter.forKey(-1 - key).record(time, 1);
            }
            limiter.evictIdle(time);
            next(keys)
                    .subList(500, 700)
                    .forEach(entry -> limiter.forKey(entry.key).record(time + INTERVAL, 1));
            time += INTERVAL + 1;
            for (int call = 0; call < calls; call++) {
                time += call == last ? 2 * INTERVAL : 0;
                int before = limiter.size();
                add();
                assertThat(before + 1 - limiter.size()).isLessThanOrEqualTo((keys + calls) / 8 + 8);
            }
        }
    }

    /** Names that are invented and get nothing leave entries, which are evicted as all others are. */
    static List<Consumer<Limiter>> refused() {
        List<Limit> most = List.of(Limit.of(Limit.MOST, Duration.ofNanos(INTERVAL)));
        SlidingWindowLimiter full = new SlidingWindowLimiter(
                new SlidingLog(new LimiterState(most, true, 0, 0, new long[] {0}, new long[] {Limit.MOST}, null)));
        return List.of(
                key -> assertThat(key.tryAcquire(0, 3)).isFalse(),
                key -> assertThat(key.tryAcquireOrDelay(0, 3)).isEqualTo(Long.MAX_VALUE),
                key -> assertThat(key.decide(0, 3).isGranted()).isFalse(),
                key -> assertThat(key.reserve(0, 3, Duration.ZERO).isGranted()).isFalse(),
                key -> assertThat(Limiter.allOf(key, full).tryAcquireOrDelay(0, 1))
                        .isPositive(),
                key -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> Limiter.allOf(key, full).record(0, 1)));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void any_inventedNamesAreRefused_bound(Consumer<Limiter> call) {
        for (int i = 0; i < 2_000; i++) {
            call.accept(limiter.forKey(nextKey++));
            assertThat(limiter.size()).isLessThanOrEqualTo(bound(0));
        }
        assertThat(limiter.keys.map().hasEvicted()).as("nothing has counted").isFalse();
    }

    /** Each is in use for a minute. */
    @Test
    void add_inventedNamesWithoutLimits_bound() {
        KeyedLimiter<Integer> unlimited = KeyedLimiter.of(List.of());
        for (int second = 0; second < 10_000; second++) {
            assertThat(unlimited.forKey(second).tryAcquire(second * 1_000_000_000L, 1))
                    .isTrue();
            assertThat(unlimited.size()).isLessThanOrEqualTo(bound(60));
        }
    }

    /** Whoever can make the function for the limits of one key fail cannot make entries of another key stay. */
    @Test
    void any_limitsOfAnotherKeyAreNotFound_bound() {
        KeyedLimiter<Integer> failing = KeyedLimiter.of(key -> {
            throw new IllegalStateException("no answer");
        });
        for (int i = 0; i < 2_000; i++) {
            Limiter both = Limiter.allOf(limiter.forKey(nextKey++), failing.forKey(0));
            assertThatIllegalStateException().isThrownBy(() -> both.tryAcquire(time, 1));
            assertThat(limiter.size()).isLessThanOrEqualTo(bound(0));
        }
    }

    private List<KeyedEntry<Integer>> next(int count) {
        return limiter.keys.map().rotation.stream().limit(count).toList();
    }

    /**
     * After a peak, soon nothing is left of it, and no single call examines more than an eighth. One request swept the
     * whole store (Wheels#2993).
     */
    @Test
    void add_afterAPeak_isGoneWithinARotation() {
        for (int i = 0; i < 100_000; i++) {
            add();
        }
        assertThat(limiter.size()).isEqualTo(100_000);
        pass();
        for (int calls = 1; calls <= 16; calls++) {
            int before = limiter.size();
            add();
            assertThat(before - limiter.size()).isLessThanOrEqualTo(100_000 / 8 + 8);
            pass();
        }

        assertThat(limiter.size()).isLessThanOrEqualTo(bound(1));
    }

    /** Random traffic in phases; the busy keys are counted by their latest times. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void add_anyTraffic_bound(int number) {
        SplittableRandom random = Seed.random("bound " + number);
        ArrayDeque<Long> grants = new ArrayDeque<>(); // of distinct keys, so that their number is that of busy keys
        int most = 0;
        for (int i = 0; i < 80_000; i++) {
            if (i % 20_000 == 0) {
                most = grants.size(); // the traffic changes
            }
            time += random.nextInt(i < 40_000 ? 2 : 200);
            add();
            grants.add(time);
            while (time - grants.getFirst() > INTERVAL) {
                grants.removeFirst();
            }
            most = Math.max(most, grants.size());
            if (i % 20_000 > 8_000) {
                assertThat(limiter.size()).as(Seed.hint()).isLessThanOrEqualTo(bound(most));
            }
        }
        Invariants.check(limiter);
    }

    /** A key that nothing counts for is idle, whatever its interval has become. */
    @Test
    void evictIdle_intervalLengthenedAndReservationsCancelled_leavesNone() {
        AtomicReference<List<Limit>> limits = new AtomicReference<>(List.of(Limit.of(2, Duration.ofNanos(INTERVAL))));
        KeyedLimiter<Integer> keyed = KeyedLimiter.of(key -> limits.get());
        List<Reservation> reservations = new ArrayList<>();
        for (int key = 0; key < 500; key++) {
            reservations.add(keyed.forKey(key).reserve(time, 1, Duration.ZERO));
        }
        limits.set(List.of(Limit.of(2, Duration.ofNanos(50 * INTERVAL))));
        keyed.updateAllLimits();
        reservations.forEach(Reservation::cancel);

        keyed.evictIdle(time);

        assertThat(keyed.size()).isZero();
    }
}
