package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.acquiring;
import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.FromAnyStart;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules, member by member. Limits are of three permits in 10 ns where nothing else is said. */
class SlidingWindowLimiterTest {
    private static final Duration ANY = Duration.ofSeconds(Long.MAX_VALUE);
    private static final long NEVER = Long.MAX_VALUE;

    private final SlidingWindowLimiter limiter = Limiters.of(3, 10);

    // of, limits, toString

    @Test
    void limits_severalOfBothKinds_areThoseGivenInTheirOrder() {
        List<Limit> limits = List.of(
                Limit.of(60, Duration.ofMinutes(1)),
                Limit.ofCalls(1000, Duration.ofHours(1)),
                Limit.of(60, Duration.ofMinutes(1)));

        assertThat(SlidingWindowLimiter.of(limits).limits()).isEqualTo(limits);
        assertThat(SlidingWindowLimiter.of(limits.get(0), limits.get(1), limits.get(2))
                        .limits())
                .isEqualTo(limits);
    }

    /** A plan that is suspended: nothing is granted, and what is used otherwise still counts. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void of_limitOfZero_refusesEverything(boolean isPerCall) {
        Limit none = isPerCall ? Limit.ofCalls(0, nanos(10)) : Limit.of(0, nanos(10));
        SlidingWindowLimiter suspended = SlidingWindowLimiter.of(Limit.of(5, nanos(20)), none);

        for (int round = 0; round < 2; round++) {
            assertThat(suspended.tryAcquire(0, 1)).isFalse();
            assertThat(suspended.tryAcquireOrDelay(0, 1)).isEqualTo(Long.MAX_VALUE);
            assertThat(suspended.reserve(0, 1, nanos(Long.MAX_VALUE)).delayNanos())
                    .isEqualTo(Long.MAX_VALUE);
            assertThat(suspended.available(0)).isZero();
            Decision decision = suspended.decide(0, 1);
            assertThat(decision.delayNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(decision.quotas().get(1)).isEqualTo(new Quota(none, 0, 0, true));
            Invariants.check(suspended);
            suspended.record(0, 1);
        }
        suspended.setLimits(Limit.of(5, nanos(20)));
        assertThat(suspended.available(0)).isEqualTo(3);
        suspended.setLimits(none);
        assertThat(suspended.log.refuses(0, 1)).as("without its lock").isTrue();
        Invariants.check(suspended);
    }

    @FromAnyStart
    void toString_namesLimitsAndWhatIsAvailableAtTheLatestTime(long start) {
        String prefix = "SlidingWindowLimiter[limits=[Limit[max=3, interval=PT0.00000001S, perCall=false]], ";
        assertThat(limiter).hasToString(prefix + "available=3]");

        limiter.tryAcquire(start, 1);
        limiter.tryAcquire(start + 11, 1);

        assertThat(limiter).hasToString(prefix + "available=2]");
    }

    // tryAcquire

    /**
     * What is saved up during a pause, and the next interval after it, are twice the limit elsewhere (bucket4j#128). Two
     * counters with interpolation admit up to 1.998 times the limit (upstash, parapet).
     */
    @FromAnyStart
    void tryAcquire_oldestExactlyAsOldAsTheInterval_isRefused(long start) {
        limiter.tryAcquire(start, 3);

        assertThat(limiter.tryAcquire(start + 10, 1)).isFalse();
        assertThat(limiter.tryAcquire(start + 11, 1)).isTrue();
    }

    /**
     * A cost over the limit was admitted (limits#151), or a refused call drained what was left
     * (node-rate-limiter-flexible#280).
     */
    @FromAnyStart
    void tryAcquire_refused_changesNothing(long start) {
        limiter.tryAcquire(start, 2);

        assertThat(limiter.tryAcquire(start + 100, 4)).isFalse();
        assertThat(limiter.tryAcquire(start + 5, 2)).isFalse();

        assertThat(limiter.tryAcquire(start + 5, 1)).isTrue(); // the latest time is not start + 100
        assertThat(limiter.available(start + 5)).isZero();
        assertThat(limiter.available(start + 11)).isEqualTo(2);
    }

    /** Such a request was told to wait for less than a second (bucket4j#220, #279). */
    @FromAnyStart
    void tryAcquire_moreThanTheLimit_isNeverGranted(long start) {
        assertThat(limiter.tryAcquire(start, 4)).isFalse();
        assertThat(limiter.tryAcquire(start, Integer.MAX_VALUE)).isFalse();
        assertThat(limiter.tryAcquireOrDelay(start, 4)).isEqualTo(NEVER);
        assertThat(limiter.reserve(start, 4, ANY)).hasToString("Reservation[granted=false, delayNanos=" + NEVER + "]");
        assertThat(limiter.isIdle(start)).isTrue();
    }

    /** A refused request counted in the first of the chain (dotnet/runtime#113314). */
    @FromAnyStart
    void tryAcquire_severalLimits_isGrantedByAllOrNone(long start) {
        SlidingWindowLimiter two = SlidingWindowLimiter.of(Limit.of(3, nanos(100)), Limit.of(2, nanos(10)));

        assertThat(two.tryAcquire(start, 2)).isTrue();
        assertThat(two.tryAcquire(start + 1, 1)).isFalse();
        assertThat(two.tryAcquire(start + 11, 2)).isFalse();
        assertThat(two.tryAcquire(start + 11, 1)).isTrue();
        assertThat(two.tryAcquire(start + 22, 1)).isFalse();
        assertThat(two.tryAcquire(start + 101, 2)).isTrue();
    }

    /** Requests and tokens shared the key of a window (litellm#24677). */
    @FromAnyStart
    void tryAcquire_limitOfCalls_countsEachAsOne(long start) {
        SlidingWindowLimiter calls = SlidingWindowLimiter.of(Limit.ofCalls(2, nanos(10)), Limit.of(100, nanos(10)));

        assertThat(calls.tryAcquire(start, 60)).isTrue();
        assertThat(calls.tryAcquire(start, 41)).isFalse();
        assertThat(calls.tryAcquire(start, 30)).isTrue(); // the same time: one entry of two calls
        assertThat(calls.tryAcquire(start, 1)).isFalse();
        assertThat(calls.tryAcquire(start + 11, 100)).isTrue();
    }

    @FromAnyStart
    void tryAcquire_earlierThanTheLatestTime_isEvaluatedAndTimestampedThere(long start) {
        SlidingWindowLimiter two = acquiring(Limiters.of(2, 10), start, start + 1, start + 12);

        assertThat(two.tryAcquire(start + 2, 1)).isTrue();

        assertThat(two.available(start + 22)).isZero();
        assertThat(two.available(start + 23)).isEqualTo(2);
    }

    // tryAcquireOrDelay

    /** A delay was the whole window (dotnet/runtime#92557), or too short and then negative (flask-limiter#62). */
    @FromAnyStart
    void tryAcquireOrDelay_refused_isTheLeastWait(long start) {
        acquiring(limiter, start, start + 2, start + 5);

        assertThat(limiter.tryAcquireOrDelay(start + 6, 1)).isEqualTo(5);
        assertThat(limiter.tryAcquireOrDelay(start + 6, 2)).isEqualTo(7);
        assertThat(limiter.tryAcquireOrDelay(start + 6, 3)).isEqualTo(10);
        assertThat(limiter.tryAcquireOrDelay(start + 10, 1)).isEqualTo(1);
        assertThat(limiter.tryAcquireOrDelay(start + 11, 1)).isZero();
    }

    @FromAnyStart
    void tryAcquireOrDelay_earlierThanTheLatestTime_isMeasuredFromItsOwn(long start) {
        limiter.tryAcquire(start, 3);

        assertThat(limiter.tryAcquireOrDelay(start - 100, 1)).isEqualTo(111);
        assertThat(limiter.tryAcquireOrDelay(start - Long.MAX_VALUE + 12, 1)).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(limiter.tryAcquireOrDelay(start - Long.MAX_VALUE + 11, 1)).isEqualTo(NEVER);
        assertThat(limiter.tryAcquireOrDelay(start - Long.MAX_VALUE, 1)).isEqualTo(NEVER);
        assertThat(limiter.tryAcquireOrDelay(start + Long.MIN_VALUE, 2)).isEqualTo(NEVER);
    }

    // reserve

    @FromAnyStart
    void reserve_full_isGrantedAtTheEarliestSlot(long start) {
        limiter.tryAcquire(start, 3);

        Reservation reservation = limiter.reserve(start + 4, 2, nanos(7));

        assertThat(reservation.isGranted()).isTrue();
        assertThat(reservation.delayNanos()).isEqualTo(7);
        assertThat(limiter.available(start + 10)).isZero();
        assertThat(limiter.available(start + 11)).isEqualTo(1);
        assertThat(limiter.available(start + 21)).isEqualTo(1); // the permits count at their slot
        assertThat(limiter.available(start + 22)).isEqualTo(3);
    }

    /** Refused requests were never released (litellm PR#27001). */
    @FromAnyStart
    void reserve_longerThanMaxDelay_isRefusedAndChangesNothing(long start) {
        limiter.tryAcquire(start, 3);

        Reservation reservation = limiter.reserve(start + 4, 2, nanos(6));

        assertThat(reservation.isGranted()).isFalse();
        assertThat(reservation.delayNanos()).isEqualTo(7);
        assertThat(reservation.adjustTo(1)).isFalse();
        assertThat(reservation.cancel()).isFalse();
        assertThat(limiter.tryAcquireOrDelay(start + 3, 1)).isEqualTo(8);
    }

    @FromAnyStart
    void reserve_pending_isNotOvertaken(long start) {
        limiter.tryAcquire(start, 2);
        limiter.reserve(start, 2, ANY);

        assertThat(limiter.tryAcquire(start + 1, 1)).isFalse(); // though one is left until then
        assertThat(limiter.available(start + 10)).isZero();
        assertThat(limiter.tryAcquireOrDelay(start + 1, 1)).isEqualTo(10);
        assertThat(limiter.reserve(start + 1, 1, ANY).delayNanos()).isEqualTo(10);
        assertThat(limiter.reserve(start + 1, 1, ANY).delayNanos()).isEqualTo(21);
    }

    @FromAnyStart
    void reserve_maxDelay_isMeasuredFromTheLatestTime(long start) {
        limiter.tryAcquire(start, 3);

        assertThat(limiter.reserve(start - 100, 1, nanos(10)).isGranted()).isFalse();
        assertThat(limiter.reserve(start - 100, 1, nanos(11)).isGranted()).isTrue();
    }

    // adjustTo, cancel

    /**
     * Refunds were dropped (redisson#7342), or went to the window of now, where they erased the reservations of others
     * (Instawork/llm-proxy PR#40).
     */
    @FromAnyStart
    void adjustTo_fewer_makesRoomAtItsPlaceInTime(long start) {
        Reservation reservation = limiter.reserve(start, 3, ANY);

        assertThat(reservation.adjustTo(1)).isTrue();

        assertThat(limiter.tryAcquire(start + 5, 2)).isTrue();
        assertThat(limiter.available(start + 11)).isEqualTo(1);
        assertThat(limiter.available(start + 16)).isEqualTo(3);
    }

    /** Calls that were admitted on low estimates used 663 of 100 tokens (litellm#18730). */
    @FromAnyStart
    void adjustTo_more_mayExceedTheLimitAndDelaysLaterCalls(long start) {
        Reservation reservation = limiter.reserve(start, 1, ANY);
        limiter.tryAcquire(start + 5, 1);

        assertThat(reservation.adjustTo(4)).isTrue();

        assertThat(limiter.available(start + 5)).isZero();
        assertThat(limiter.tryAcquireOrDelay(start + 5, 1)).isEqualTo(6);
        assertThat(limiter.available(start + 11)).isEqualTo(2);
    }

    @FromAnyStart
    void adjustTo_expired_isRefusedANanosecondAfterTheInterval(long start) {
        Reservation reservation = limiter.reserve(start, 1, ANY);

        limiter.tryAcquire(start + 10, 1);
        assertThat(reservation.adjustTo(2)).isTrue();
        limiter.tryAcquire(start + 11, 1);
        assertThat(reservation.adjustTo(3)).isFalse();
        assertThat(reservation.cancel()).isFalse();

        assertThat(limiter.available(start + 11)).isEqualTo(1);
    }

    /** Longer limits do not bring back what had expired under those before. */
    @FromAnyStart
    void adjustTo_expiredWhenLongerLimitsWereSet_isRefused(long start) {
        Reservation reservation = limiter.reserve(start, 1, ANY);
        limiter.closeFor(start + 11, Duration.ZERO);

        limiter.setLimits(Limit.of(3, nanos(100)));

        assertThat(reservation.adjustTo(2)).isFalse();
        assertThat(limiter.available(start + 11)).isEqualTo(3);
    }

    /** A lease of a window released nothing (dotnet/runtime#113314), or -212 tokens were left (golang/go#69419). */
    @FromAnyStart
    void cancel_limitOfCalls_releasesTheCall(long start) {
        SlidingWindowLimiter calls = SlidingWindowLimiter.of(Limit.ofCalls(2, nanos(10)));
        Reservation reservation = calls.reserve(start, 50, ANY);
        calls.tryAcquire(start, 1);
        assertThat(calls.available(start)).isZero();

        assertThat(reservation.adjustTo(10)).isTrue();
        assertThat(calls.available(start)).isZero();
        assertThat(reservation.cancel()).isTrue();

        assertThat(calls.available(start)).isEqualTo(Long.MAX_VALUE);
    }

    @FromAnyStart
    void cancel_pending_leavesTheFloor(long start) {
        limiter.tryAcquire(start, 3);
        Reservation reservation = limiter.reserve(start, 3, ANY);

        assertThat(reservation.cancel()).isTrue();

        assertThat(reservation.isGranted()).isTrue();
        assertThat(limiter.available(start + 10)).isZero();
        assertThat(limiter.isIdle(start + 10)).isFalse();
        assertThat(limiter.tryAcquireOrDelay(start + 5, 1)).isEqualTo(6);
        assertThat(limiter.isIdle(start + 11)).isTrue();
        assertThat(limiter.tryAcquire(start + 11, 3)).isTrue();
    }

    // clear

    @FromAnyStart
    void clear_exhaustedAndPending_isAsNew(long start) {
        limiter.tryAcquire(start, 3);
        Reservation reservation = limiter.reserve(start, 2, ANY);

        limiter.clear();

        assertThat(limiter.isIdle(start)).isTrue();
        assertThat(limiter.tryAcquire(start - 100, 3)).isTrue();
        assertThat(limiter.tryAcquireOrDelay(start - 100, 1)).isEqualTo(11);
        assertThat(reservation.adjustTo(1)).isFalse();
        assertThat(reservation.cancel()).isFalse();
    }
}
