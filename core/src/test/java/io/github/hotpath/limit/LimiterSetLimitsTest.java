package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.Seed;
import io.github.hotpath.window.StartTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link SlidingWindowLimiter#setLimits}, by examples and in random sequences of calls. */
class LimiterSetLimitsTest {
    private static final Duration LONG = Duration.ofSeconds(1_000);

    @Test
    void setLimits_lowered_countsWhatWasGrantedBefore() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(4, 10), 0, 1, 2);

        limiter.setLimits(Limit.of(2, nanos(10)));

        assertThat(limiter.available(3)).isZero();
        assertThat(limiter.tryAcquireOrDelay(3, 1)).isEqualTo(12 - 3); // the second of three has to leave
        assertThat(limiter.tryAcquire(12, 1)).isTrue();
        assertThat(limiter.limits()).containsExactly(Limit.of(2, nanos(10)));
    }

    @Test
    void setLimits_raised_grantsAtOnce() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(1, 10), 0);
        assertThat(limiter.tryAcquire(5, 1)).isFalse();

        limiter.setLimits(Limit.of(2, nanos(10)));

        assertThat(limiter.tryAcquire(5, 1)).isTrue();
        assertThat(limiter.tryAcquire(5, 1)).isFalse();
    }

    /** A stale refusal after raising: what is refused without the lock must be told anew. */
    @Test
    void setLimits_closedForEver_opens() {
        SlidingWindowLimiter limiter = Limiters.of(0, 10);
        assertThat(limiter.tryAcquireOrDelay(5, 1)).isEqualTo(Long.MAX_VALUE);

        limiter.setLimits(Limit.of(1, nanos(3)));

        assertThat(limiter.tryAcquire(5, 1)).isTrue();
    }

    @Test
    void setLimits_lengthened_countsWhatStillCountedOnly() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(9, 10), 0, 1, 11, 12);

        limiter.setLimits(Limit.of(9, nanos(100))); // at 12 the first two have expired

        assertThat(limiter.available(12)).isEqualTo(7);
        assertThat(limiter.available(111)).isEqualTo(7);
        assertThat(limiter.available(112)).isEqualTo(8);
    }

    @Test
    void setLimits_lengthenedWhileASlotIsPending_countsWhatCountsAtTheLatestTime() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(3, 10), 0, 1, 2);
        Reservation pending = limiter.reserve(3, 3, LONG);
        assertThat(pending.delayNanos()).isEqualTo(13 - 3);

        limiter.setLimits(Limit.of(6, nanos(100))); // expired at the slot, but not yet now

        assertThat(limiter.available(13)).isZero();
        assertThat(limiter.tryAcquireOrDelay(3, 1)).isEqualTo(101 - 3);
    }

    @Test
    void setLimits_slotPending_staysPending() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(1, 10), 0);
        limiter.reserve(0, 1, LONG);

        limiter.setLimits(Limit.of(100, nanos(10)));

        assertThat(limiter.tryAcquireOrDelay(5, 1)).isEqualTo(11 - 5);
        assertThat(limiter.isIdle(5)).isFalse();
    }

    @Test
    void setLimits_firstPerCallLimit_countsEveryCall() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(100, 10), 0, 0, 0, 1);

        limiter.setLimits(Limit.ofCalls(5, nanos(10)));

        assertThat(limiter.tryAcquire(1, 50)).isTrue();
        assertThat(limiter.tryAcquire(1, 1)).isFalse();
        limiter.checkInvariants();
    }

    /** Each takes its own call off, whether a per-call limit applied when it was made, since then, or only now. */
    @Test
    void cancel_perCallLimitRemovedAndSetAgain_takesOneCallOff() {
        Limit calls = Limit.ofCalls(3, nanos(10));
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(calls);
        Reservation first = limiter.reserve(0, 1, LONG);
        limiter.tryAcquire(0, 1);
        limiter.setLimits(Limit.of(9, nanos(10)));
        Reservation third = limiter.reserve(0, 1, LONG);
        limiter.setLimits(calls);
        assertThat(limiter.available(0)).isZero();

        assertThat(first.cancel()).isTrue();
        assertThat(limiter.tryAcquire(0, 1)).isTrue();
        assertThat(limiter.available(0)).isZero();
        assertThat(third.cancel()).isTrue();
        assertThat(limiter.tryAcquire(0, 1)).isTrue();
        assertThat(limiter.available(0)).isZero();
        limiter.checkInvariants();
    }

    @Test
    void setLimits_firstPerCallLimit_cancelledGrantsCountNoCall() {
        SlidingWindowLimiter limiter = Limiters.of(100, 10);
        Reservation first = limiter.reserve(0, 1, LONG);
        Reservation second = limiter.reserve(0, 1, LONG);
        limiter.reserve(1, 1, LONG).cancel();
        limiter.tryAcquire(2, 1);

        limiter.setLimits(Limit.ofCalls(2, nanos(10)));

        assertThat(limiter.available(2)).isZero();
        assertThat(first.cancel()).isTrue();
        assertThat(limiter.available(2)).isZero(); // three calls were one too many
        assertThat(second.cancel()).isTrue();
        assertThat(limiter.available(2)).isEqualTo(Long.MAX_VALUE);
    }

    /** Those that were cancelled leave the log, which would seem to have too many otherwise. */
    @Test
    void setLimits_firstPerCallLimit_manyCancelledAreDropped() {
        SlidingWindowLimiter limiter = Limiters.of(100, 100);
        List<Reservation> reservations = new ArrayList<>();
        for (int time = 0; time < 25; time++) {
            reservations.add(limiter.reserve(time, 1, Duration.ZERO));
        }
        reservations.subList(0, 10).forEach(Reservation::cancel);

        limiter.setLimits(Limit.ofCalls(20, nanos(100)));

        limiter.checkInvariants();
        assertThat(limiter.log.state().times()).hasSize(15);
        assertThat(limiter.tryAcquireOrDelay(25, 1)).isZero();
    }

    @Test
    void setLimits_reservationExpiredBefore_cannotBeAdjustedUnderALongerOne() {
        SlidingWindowLimiter limiter = Limiters.of(9, 10);
        Reservation expired = limiter.reserve(0, 1, LONG);
        Reservation counting = limiter.reserve(5, 1, LONG);
        limiter.tryAcquire(11, 1);

        limiter.setLimits(Limit.of(9, nanos(100)));

        assertThat(expired.adjustTo(2)).isFalse();
        assertThat(counting.adjustTo(3)).isTrue();
        assertThat(limiter.available(11)).isEqualTo(5);
    }

    /** What was granted without limits has no entry, and must not change another one at the same time. */
    @Test
    void setLimits_noneAndBack_countsWhatIsGrantedFromThenOn() {
        SlidingWindowLimiter limiter = Limiters.of(2, 10);
        Reservation before = limiter.reserve(0, 2, LONG);

        limiter.setLimits(List.of());

        Reservation without = limiter.reserve(5, 7, LONG);
        assertThat(without.delayNanos()).isZero();
        assertThat(before.adjustTo(1)).isFalse();
        assertThat(without.adjustTo(1)).isFalse();
        assertThat(limiter.tryAcquire(5, Integer.MAX_VALUE)).isTrue();
        assertThat(limiter.available(5)).isEqualTo(Long.MAX_VALUE);
        assertThat(limiter.decide(5, 9)).isEqualTo(new Decision(0, List.of()));
        assertThat(limiter.isIdle(5)).isTrue();
        limiter.checkInvariants();
        limiter.setLimits(Limit.of(2, nanos(10)));
        assertThat(limiter.tryAcquire(4, 2)).isTrue(); // at the latest time
        assertThat(without.adjustTo(1)).isFalse();
        assertThat(before.adjustTo(1)).isFalse();
        assertThat(limiter.tryAcquireOrDelay(5, 1)).isEqualTo(11);
        limiter.checkInvariants();
    }

    /** No entry is followed by less than nothing, and behind the newest one there is no chunk. */
    @Test
    void setLimits_zeroWhenTheLastChunkIsFull_refusesEverything() {
        SlidingWindowLimiter limiter = Limiters.of(5_000, 10_000);
        for (int time = 0; time < 3_072; time++) {
            assertThat(limiter.tryAcquire(time, 1)).isTrue();
        }

        limiter.setLimits(Limit.of(0, nanos(0)));

        assertThat(limiter.tryAcquireOrDelay(5_000, 1)).isEqualTo(Long.MAX_VALUE);
        limiter.checkInvariants();
    }

    /** A pending slot is no matter of limits. */
    @Test
    void closeFor_noLimits_isClosedUntilThen() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(List.of());

        limiter.closeFor(0, nanos(10));

        assertThat(limiter.tryAcquireOrDelay(4, 1)).isEqualTo(6);
        assertThat(limiter.available(4)).isZero();
        assertThat(limiter.reserve(4, 3, LONG).delayNanos()).isEqualTo(6);
        assertThat(limiter.tryAcquire(10, 3)).isTrue();
        limiter.checkInvariants();
    }

    static LongStream starts() {
        return StartTimes.all();
    }

    @ParameterizedTest
    @MethodSource("starts")
    void calls_inAnySequence_answerAsTheModel(long start) {
        SplittableRandom random = Seed.random("set limits " + start);
        for (int sequence = 0; sequence < 300; sequence++) {
            checkSequence(start, random.split());
        }
    }

    private static void checkSequence(long start, SplittableRandom random) {
        List<Limit> limits = limits(random);
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limits);
        NaiveLimiter model = new NaiveLimiter(limits);
        LimiterCalls<?> ours = LimiterCalls.on(limiter);
        LimiterCalls<?> expected = LimiterCalls.on(model);
        List<String> made = new ArrayList<>(List.of(limits.toString()));
        long time = start;
        LimiterCall.Member[] members = LimiterCall.Member.values();
        for (int left = 120; left > 0; left--) {
            time += random.nextInt(4) == 0 ? random.nextInt(12) : random.nextInt(3);
            if (random.nextInt(8) == 0) {
                List<Limit> next = limits(random);
                made.add("setLimits(" + next + ")");
                limiter.setLimits(next);
                model.setLimits(next);
            } else {
                LimiterCall.Member member = members[random.nextInt(random.nextInt(10) == 0 ? members.length : 4)];
                int later = random.nextInt(4);
                long argument = member == LimiterCall.Member.ADJUST ? later : random.nextInt(20);
                int permits = member == LimiterCall.Member.ADJUST ? random.nextInt(4) : 1 + random.nextInt(3);
                LimiterCall call = new LimiterCall(member, time - random.nextInt(3), permits, argument);
                made.add(call.toString());
                assertThat(call.on(ours)).as("%s", made).isEqualTo(call.on(expected));
            }
            limiter.checkInvariants();
            assertThat(limiter.available(time)).as("%s", made).isEqualTo(model.available(time));
        }
    }

    private static List<Limit> limits(SplittableRandom random) {
        List<Limit> limits = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            int interval = random.nextInt(25);
            limits.add(LimiterTraffic.limit(random.nextInt(9), interval, random.nextInt(3) == 0));
        }
        return limits;
    }
}
