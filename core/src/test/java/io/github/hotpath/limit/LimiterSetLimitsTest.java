package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.FromAnyStart;
import io.github.hotpath.testing.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@link SlidingWindowLimiter#setLimits}, in random sequences of calls, and where the log is compacted or full. */
class LimiterSetLimitsTest {
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

        Invariants.check(limiter);
        assertThat(limiter.log.state().times()).hasSize(15);
        assertThat(limiter.tryAcquireOrDelay(25, 1)).isZero();
    }

    /** There is no last slot yet, so it is not known how many permits are left there. */
    @Test
    void setLimits_unused_countsFromTheFirstGrantOn() {
        SlidingWindowLimiter limiter = Limiters.of(10, 10);

        limiter.setLimits(Limit.of(10, nanos(1_000)));

        assertThat(limiter.tryAcquire(5, 1)).isTrue();
        assertThat(limiter.available(0)).isEqualTo(9);
        Invariants.check(limiter);
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
        Invariants.check(limiter);
    }

    @FromAnyStart
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
        LimiterCalls ours = LimiterCalls.on(limiter);
        LimiterCalls expected = LimiterCalls.on(model);
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
            Invariants.check(limiter);
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
