package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.acquiring;
import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.google.common.testing.EqualsTester;
import io.github.hotpath.testing.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link Limiter#allOf}, and what a {@link Limiter} tells, by examples. */
@Timeout(600)
class JointLimiterTest {
    private final SlidingWindowLimiter few = Limiters.of(2, 10);
    private final SlidingWindowLimiter many = Limiters.of(9, 100);
    private final KeyedLimiter<String> keyed = KeyedLimiter.of(Limit.of(3, nanos(10)));

    /**
     * Those before the one that refuses counted the request (dotnet/runtime#113314, node-rate-limiter-flexible#280,
     * langfuse PR#14280, milvus PR#25597).
     */
    @Test
    void tryAcquire_oneRefuses_noneCounts() {
        Limiter all = Limiter.allOf(many, keyed.forKey("a"), few);
        assertThat(all.tryAcquire(0, 2)).isTrue();

        assertThat(all.tryAcquire(1, 1)).isFalse();
        assertThat(all.tryAcquireOrDelay(1, 1)).isEqualTo(10);

        assertThat(many.available(1)).isEqualTo(7);
        assertThat(keyed.forKey("a").available(1)).isEqualTo(1);
        assertThat(all.available(1)).isZero();
        assertThat(all.tryAcquire(11, 1)).isTrue();
    }

    @Test
    void allOf_theSameTwice_countsOnce() {
        Limiter key = keyed.forKey("a");
        Limiter all = Limiter.allOf(few, key, Limiter.allOf(few, many), few, keyed.forKey("a"), Limiter.allOf(key));

        assertThat(all.decide(0, 1).quotas()).extracting(Quota::remaining).containsExactly(1L, 2L, 8L);
        all.record(0, 1);

        assertThat(few.available(0)).isZero();
        assertThat(keyed.forKey("a").available(0)).isEqualTo(1);
        assertThat(many.available(0)).isEqualTo(7);
    }

    @Test
    void allOf_sameKeyOfTwoKeyedLimiters_countsInBoth() {
        KeyedLimiter<String> other = KeyedLimiter.of(Limit.of(9, nanos(10)));

        Limiter.allOf(keyed.forKey("a"), other.forKey("a")).record(0, 1);

        assertThat(keyed.forKey("a").available(0)).isEqualTo(2);
        assertThat(other.forKey("a").available(0)).isEqualTo(8);
    }

    @Test
    void allOf_laterChangeOfTheList_hasNoEffect() {
        List<Limiter> limiters = new ArrayList<>(List.of(few));
        Limiter all = Limiter.allOf(limiters);

        limiters.set(0, many);

        assertThat(all.available(0)).isEqualTo(2);
    }

    /** The result may be kept: it finds the key's entry at each call. */
    @Test
    void tryAcquire_keysClearedAfterARefusal_isGranted() {
        keyed.forKey("a").tryAcquire(0, 3);
        Limiter all = Limiter.allOf(keyed.forKey("a"), many);
        assertThat(all.tryAcquire(0, 1)).isFalse();

        keyed.clear();

        assertThat(all.tryAcquire(0, 1)).isTrue();
        assertThat(keyed.forKey("a").available(0)).isEqualTo(2);
    }

    /**
     * It was not told which limit refused (dotnet/runtime#130114, dotnet/aspnetcore#52411), and when there is more was
     * the time until all remains (draft-ietf-httpapi-ratelimit-headers#149).
     */
    @Test
    void decide_refused_tellsWhichLimitsAreExceeded() {
        SlidingWindowLimiter both = SlidingWindowLimiter.of(Limit.of(3, nanos(10)), Limit.ofCalls(1, nanos(20)));
        both.tryAcquire(0, 1);

        Decision decision = Limiter.allOf(both, many).decide(4, 2);

        assertThat(decision.isGranted()).isFalse();
        assertThat(decision.delayNanos()).isEqualTo(17);
        assertThat(decision.quotas())
                .containsExactly(
                        new Quota(Limit.of(3, nanos(10)), 2, 7, false),
                        new Quota(Limit.ofCalls(1, nanos(20)), 0, 17, true),
                        new Quota(Limit.of(9, nanos(100)), 9, 0, false));
        assertThat(decision).hasToString("Decision[granted=false, delayNanos=17, quotas=" + decision.quotas() + "]");
    }

    @Test
    void allOf_none_grantsEverything() {
        Limiter none = Limiter.allOf(List.of());

        assertThat(none.tryAcquire(0, Integer.MAX_VALUE)).isTrue();
        assertThat(none.tryAcquireOrDelay(0, 1)).isZero();
        assertThat(none.available(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(none.isIdle(0)).isTrue();
        assertThat(none.decide(0, 1)).isEqualTo(new Decision(0, new Quota[0]));
        assertThat(none.peek(0, 1)).isEqualTo(new Decision(0, new Quota[0]));
        none.record(0, 1);
        none.closeFor(0, nanos(10));
        Reservation reservation = none.reserve(1, 1, nanos(0));
        assertThat(reservation.isGranted()).isTrue();
        assertThat(reservation.delayNanos()).isZero();
        assertThat(reservation.cancel()).isFalse();
        assertThat(Limiter.allOf(none, few).tryAcquire(0, 2)).isTrue();
        assertThat(few.available(0)).isZero();
    }

    @Test
    void allOf_nullOrTooMany_isRejected() {
        assertThatNullPointerException()
                .isThrownBy(() -> Limiter.allOf((Limiter) null))
                .withMessage("first");
        assertThatNullPointerException()
                .isThrownBy(() -> Limiter.allOf(few, few, null))
                .withMessage("more[1]");
        assertThatNullPointerException()
                .isThrownBy(() -> Limiter.allOf(Arrays.asList(few, null)))
                .withMessage("limiters[1]");
        assertThat(Limiter.allOf(Collections.nCopies(2_000, few)).available(0)).isEqualTo(2);
        List<Limiter> others = IntStream.range(0, 2_000)
                .mapToObj(i -> keyed.forKey("key " + i))
                .toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limiter.allOf(others))
                .withMessage("limiters: 1001 limiters or more (expected: at most 1000)");
    }

    /** Otherwise one could refuse a thread as it is after the call, and then another one as it was before. */
    @Test
    void change_ofSeveral_noneRefusesMeanwhile() {
        SlidingWindowLimiter exhausted = acquiring(Limiters.of(1, 10), 0);
        List<Boolean> refused = new ArrayList<>();
        Transaction<Boolean> change = new Transaction<>() {
            @Override
            boolean decide(Gate[] gates, long nanos, int permits) {
                return true;
            }

            @Override
            void change(Gate gate, int index, long nanos, int permits) {
                refused.add(few.log.refuses(nanos, 1) || exhausted.log.refuses(nanos, 1));
                gate.log.settle();
            }

            @Override
            Boolean result(Gate[] gates, long nanos, int permits, boolean isChanged) {
                return true;
            }
        };

        change.run(JointLimiter.members(Limiter.allOf(few, exhausted)), 0, 1);

        assertThat(refused).containsExactly(false, false);
        assertThat(exhausted.log.refuses(0, 1)).isTrue();
    }

    @Test
    void decide_sameAnswer_isEqual() {
        SlidingWindowLimiter same = SlidingWindowLimiter.of(many.limits());

        new EqualsTester()
                .addEqualityGroup(many.decide(0, 1), same.decide(0, 1))
                .addEqualityGroup(many.peek(0, Integer.MAX_VALUE), same.peek(0, Integer.MAX_VALUE))
                .addEqualityGroup(many.decide(0, 1))
                .testEquals();
    }

    @Test
    void toString_namesTheLimiters() {
        assertThat(Limiter.allOf(few, keyed.forKey("a"))).hasToString("Limiter.allOf[" + few + ", " + keyed + "[a]]");
    }

    /** Beyond 2^61 nothing is promised but this. */
    @Test
    @Timeout(600)
    void calls_atAnyTimes_returnAndLeaveNoLockHeld() {
        SplittableRandom random = Seed.random("any times");
        SlidingWindowLimiter limiter = Limiters.of(2, 1L << 60);
        SlidingWindowLimiter other = Limiters.of(3, 10);
        KeyedLimiter<Integer> keyed = KeyedLimiter.of(Limit.of(2, nanos(1L << 61)));
        for (int i = 0; i < 20_000; i++) {
            Limiter all = Limiter.allOf(limiter, keyed.forKey(random.nextInt(3)), other);
            Limiter called = List.of(limiter, keyed.forKey(1), all).get(random.nextInt(3));
            long nanos = random.nextLong() >> random.nextInt(64);
            Duration duration = nanos(random.nextLong() >>> 1 + random.nextInt(63));
            try {
                switch (random.nextInt(8)) {
                    case 0 -> called.tryAcquireOrDelay(nanos, 1);
                    case 1 -> called.reserve(nanos, 1, duration).adjustTo(random.nextInt(3));
                    case 2 -> called.decide(nanos, 1);
                    case 3 -> called.record(nanos, 1 + random.nextInt(Integer.MAX_VALUE));
                    case 4 -> called.closeFor(nanos, duration);
                    case 5 -> keyed.evictIdle(nanos);
                    case 6 -> called.available(nanos);
                    default -> called.tryAcquire(nanos, 1);
                }
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("permits");
            }
            if (i % 50 == 0) {
                limiter.clear();
                other.clear();
                keyed.clear();
                assertThat(all.tryAcquire(nanos, 2)).as(Seed.hint()).isTrue();
            }
        }
    }
}
