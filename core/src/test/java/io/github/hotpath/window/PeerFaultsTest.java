package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other libraries' counters and limiters get wrong: above each test, what the other library does. */
class PeerFaultsTest {
    private static final Duration NANOSECOND = Duration.ofNanos(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeTicker clock = new FakeTicker();

    /**
     * Dropwizard's {@code SlidingTimeWindowArrayReservoir} multiplies time by 256, and from an hour before that wraps,
     * 417 days after it was created, until a window after, every read is empty; the older
     * {@code SlidingTimeWindowReservoir} retained everything instead (metrics#515).
     */
    @Test
    void dropwizard_emptyForAnHourEvery417Days_staysExact() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(10).minus(NANOSECOND));
        window.record(clock.read()); // a beginning to count time from, which Dropwizard's own test has not
        clock.advance((1L << 55) - Duration.ofHours(2).toNanos());

        for (int seconds = 0; seconds < 4 * 3_600; seconds += 6) {
            assertThat(window.record(clock.read())).isEqualTo(Math.min(100, 1 + seconds / 6));
            clock.advance(Duration.ofSeconds(6));
        }
    }

    /** The same reservoir is empty with any interval of more than 417 days, for that overflows as well. */
    @Test
    void dropwizard_emptyWithALongInterval_countsAll() {
        EventWindow window = EventWindow.of(Duration.ofDays(500));

        recordEvery(MILLISECOND, 10, window);

        assertThat(window.count(clock.read())).isEqualTo(10);
    }

    /**
     * The same reservoir moves its time at each reading, so that 2,560 of them expire what is 10 ns old at the most.
     */
    @Test
    void dropwizard_readingsAloneExpire_countIsPure() {
        EventWindow window = EventWindow.of(Duration.ofNanos(10));
        window.record(clock.read());
        clock.advance(10);

        for (int reading = 0; reading < 5_000; reading++) {
            assertThat(window.count(clock.read())).isEqualTo(1);
        }
    }

    /**
     * Dropwizard's {@code SlidingTimeWindowMovingAverages} clears live buckets for an hour after a gap of half an hour.
     */
    @Test
    void dropwizardAverages_wrongAfterAGap_countsWhatCame() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(15).minus(NANOSECOND));
        recordEvery(SECOND, 900, window);
        clock.advance(Duration.ofMinutes(31));

        for (int seconds = 1; seconds <= 4_500; seconds++) {
            assertThat(window.record(clock.read())).isEqualTo(Math.min(900, seconds));
            clock.advance(SECOND);
        }
    }

    /**
     * Jetty's {@code RateStatistic} looks at the head only, so an old event that was recorded after a newer one (its
     * clock is read outside the lock) is retained as long as that.
     */
    @Test
    void jetty_oldBehindNewNeverGoes_goesAtItsTime() {
        EventWindow window = EventWindow.of(Duration.ofNanos(10));
        window.record(10);
        window.record(5);

        assertThat(window.count(15)).isEqualTo(2);
        assertThat(window.count(16)).isEqualTo(1);
        assertThat(window.record(16)).isEqualTo(2);
    }

    /** In Jetty's {@code DoSFilter.RateTracker} a time of 0 stands for no event. */
    @Test
    void jetty_zeroIsNoTime_isATimeLikeAnyOther() {
        EventWindow window = EventWindow.of(SECOND);

        assertThat(window.tryRecord(0, 1)).isTrue();

        assertThat(window.tryRecord(0, 1)).isFalse();
    }

    /** SmallRye's {@code RingBufferRollingWindow} with a limit of 1 rejects for ever after the first call. */
    @Test
    void smallrye_limitOfOneRejectsForEver_admitsOneInEachInterval() {
        EventWindow window = EventWindow.of(SECOND);

        for (int call = 0; call < 10; call++) {
            assertThat(window.tryRecord(clock.read(), 1)).isTrue();
            clock.advance(Duration.ofMillis(1_500));
        }
    }

    /**
     * What SmallRye rejects uses up the limit (#973), as in rolling-rate-limiter (#9): a client that does not pause is
     * never admitted.
     */
    @Test
    void smallrye_rejectedCallsCount_onlyAdmittedOnesDo() {
        EventWindow window = EventWindow.of(SECOND);
        window.tryRecord(clock.read(), 2);
        window.tryRecord(clock.read(), 2);

        for (int call = 0; call < 1_000; call++) {
            clock.advance(MILLISECOND);
            assertThat(window.tryRecord(clock.read(), 2)).isFalse();
        }
        clock.advance(NANOSECOND);

        assertThat(window.tryRecord(clock.read(), 2)).isTrue();
    }

    /** SmallRye and throttle-net cut the time to milliseconds, and admit a call up to one of them too early. */
    @Test
    void smallrye_aMillisecondTooEarly_isRefusedToTheNanosecond() {
        EventWindow window = EventWindow.of(SECOND);
        clock.advance(MILLISECOND.minus(NANOSECOND));
        window.tryRecord(clock.read(), 1);

        clock.advance(SECOND.minus(MILLISECOND).plus(NANOSECOND)); // at one second sharp: cut, a whole one has passed
        assertThat(window.tryRecord(clock.read(), 1)).isFalse();

        clock.advance(MILLISECOND.minus(NANOSECOND));
        assertThat(window.tryRecord(clock.read(), 1)).isFalse();

        clock.advance(NANOSECOND);
        assertThat(window.tryRecord(clock.read(), 1)).isTrue();
    }

    /** jrugged's {@code WindowedEventCounter} silently stops counting at its capacity. */
    @Test
    void jrugged_stopsAtItsCapacity_hasNone() {
        EventWindow window = EventWindow.of(SECOND);

        recordEvery(NANOSECOND, 100_000, window);

        assertThat(window.count(clock.read())).isEqualTo(100_000);
    }

    /** When the clock moves back, each call to Resilience4j's default time window evicts a second of live data. */
    @Test
    void resilience4j_clockBackEvictsLiveData_losesNothing() {
        EventWindow window = EventWindow.of(Duration.ofSeconds(10));
        recordEvery(Duration.ofMillis(10), 1_000, window);
        clock.advance(Duration.ofSeconds(-5));

        for (int call = 1; call <= 20; call++) {
            assertThat(window.record(clock.read())).isEqualTo(1_000 + call);
        }
    }

    /**
     * Limiters by fixed cycles admit twice the limit around a border: Resilience4j (#1356), Sentinel (#2859), Tomcat's
     * {@code ExactRateLimiter}; so do token buckets, Bucket4j's (#128) and Guava's {@code
     * RateLimiter}.
     */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 500_000_000, 999_999_999})
    void resilience4j_twiceTheLimitAroundABorder_neverMore(long offset) {
        EventWindow window = EventWindow.of(SECOND);
        clock.advance(offset + Duration.ofHours(1).toNanos()); // long idle, so that a bucket is full

        ArrayDeque<Long> admitted = new ArrayDeque<>();
        int total = 0;
        for (int call = 0; call < 5_000; call++) {
            if (window.tryRecord(clock.read(), 10)) {
                admitted.add(clock.read());
                total++;
            }
            if (admitted.size() == 11) {
                assertThat(admitted.getLast() - admitted.remove()).isGreaterThan(SECOND.toNanos());
            }
            clock.advance(MILLISECOND);
        }

        assertThat(total).isEqualTo(50); // ten in each second and a millisecond
    }

    /** Resilience4j has windows of whole seconds only (#1034), and of one second fails with a null pointer (#2334). */
    @Test
    void resilience4j_wholeSecondsOnly_anyInterval() {
        EventWindow window = EventWindow.of(Duration.ofMillis(1_500));
        window.record(clock.read());
        clock.advance(Duration.ofMillis(1_500));

        assertThat(window.count(clock.read())).isEqualTo(1);
        assertThat(window.count(clock.read(), SECOND)).isZero();
        assertThat(window.count(clock.read() + 1)).isZero();
    }

    /** Failsafe's {@code TimedCircuitStats} slides when something is recorded, not when it is read. */
    @Test
    void failsafe_readingsDoNotSlide_countDoes() {
        EventWindow window = EventWindow.of(Duration.ofSeconds(10));
        window.record(clock.read());
        clock.advance(Duration.ofSeconds(60));

        assertThat(window.count(clock.read())).isZero();
        assertThat(window.tryRecord(clock.read(), 1)).isTrue();
    }

    /**
     * After a gap Failsafe's {@code TimedCircuitStats} retains new events for two intervals, and returns 200 where 101
     * are in the window.
     */
    @Test
    void failsafe_twiceTheIntervalAfterAGap_countsOne() {
        EventWindow window = EventWindow.of(Duration.ofSeconds(10));
        window.record(clock.read());
        clock.advance(Duration.ofSeconds(25));

        recordEvery(Duration.ofMillis(100), 200, window);
        clock.advance(Duration.ofMillis(-100));

        assertThat(window.count(clock.read())).isEqualTo(101);
    }

    /**
     * Hystrix counts the bucket that has just begun as one of ten, so that up to a tenth of the interval is missing.
     */
    @Test
    void hystrix_missesUpToABucket_countsTheWholeInterval() {
        EventWindow window = EventWindow.of(Duration.ofSeconds(10));
        clock.advance(Duration.ofMillis(999));
        window.record(clock.read());

        clock.advance(Duration.ofMillis(9_500));

        assertThat(window.count(clock.read())).isEqualTo(1);
    }

    /** Sentinel's {@code LeapArray} puts a late event into a bucket that is never read (#586). */
    @Test
    void sentinel_lateEventsAreLost_areCounted() {
        EventWindow window = EventWindow.of(SECOND);
        recordEvery(MILLISECOND, 100, window);
        clock.advance(Duration.ofMillis(-900));

        assertThat(window.record(clock.read())).isEqualTo(101);
    }

    /** Sentinel's {@code LeapArray} has no bucket for a negative time. */
    @Test
    void sentinel_nothingBeforeZero_countsThere() {
        EventWindow window = EventWindow.of(SECOND);
        clock.advance(Duration.ofSeconds(-10));

        recordEvery(MILLISECOND, 100, window);

        assertThat(window.count(clock.read())).isEqualTo(100);
    }

    /** In Sentinel a bucket can be seen for a millisecond longer than the interval (#3309). */
    @Test
    void sentinel_countsAMillisecondTooLong_toTheNanosecond() {
        EventWindow window = EventWindow.of(SECOND);
        window.record(clock.read());
        clock.advance(SECOND);
        assertThat(window.count(clock.read())).isEqualTo(1);

        clock.advance(NANOSECOND);

        assertThat(window.count(clock.read())).isZero();
    }

    /**
     * Armeria's {@code SlidingWindowCounter} leaves out the newest events (#2761), as does Spectator's
     * {@code StepLong}.
     */
    @Test
    void armeria_leavesOutTheCurrentBucket_countsAtOnce() {
        EventWindow window = EventWindow.of(SECOND);

        window.record(clock.read());

        assertThat(window.count(clock.read())).isEqualTo(1);
    }

    /** Vert.x's {@code RollingCounter} counts 0 for ever with an interval below a second; microbus divides by zero. */
    @ParameterizedTest
    @ValueSource(strings = {"PT0.999S", "PT0.001S", "PT0.000999999S", "PT0.000000001S"})
    void vertx_nothingBelowASecond_countsThere(Duration interval) {
        EventWindow window = EventWindow.of(interval);

        assertThat(window.record(clock.read())).isEqualTo(1);
        clock.advance(interval);
        assertThat(window.record(clock.read())).isEqualTo(2);
        clock.advance(NANOSECOND);
        assertThat(window.record(clock.read())).isEqualTo(2);
    }

    /** Kafka's {@code Rate} divides by another interval than that of the events that it counts (#15889, #20152). */
    @Test
    void kafka_intervalIsNotTheOneGiven_isFromTheFirstEventOn() {
        EventWindow window = EventWindow.of(Duration.ofSeconds(60));

        for (int events = 1; events <= 600; events++) {
            assertThat(window.record(clock.read())).isEqualTo(Math.min(7, events));
            clock.advance(Duration.ofSeconds(10));
        }
    }

    /** Commons Lang's {@code EventCountCircuitBreaker} never begins a new interval if the clock began below zero. */
    @Test
    void commonsLang_negativeStartNeverExpires_expires() {
        EventWindow window = EventWindow.of(SECOND);
        clock.advance(Duration.ofDays(-100));

        for (int event = 0; event < 100; event++) {
            assertThat(window.record(clock.read())).isEqualTo(1);
            clock.advance(Duration.ofSeconds(10));
        }
    }

    /**
     * After a gap Micrometer's {@code TimeWindowSum} clears what is recorded until its ring has caught up (#7754,
     * #2647).
     */
    @Test
    void micrometer_nothingAfterAGap_countsFromTheFirst() {
        EventWindow window = EventWindow.of(Duration.ofSeconds(30));
        recordEvery(SECOND, 100, window);
        clock.advance(Duration.ofMinutes(10));

        for (int events = 1; events <= 31; events++) {
            assertThat(window.record(clock.read())).isEqualTo(events);
            clock.advance(SECOND);
        }
    }

    /** Bucket4j compares times with {@code <=}, so no tokens are added after a {@code long} has wrapped. */
    @Test
    void bucket4j_nothingAfterTheWrap_admitsAcrossIt() {
        EventWindow window = EventWindow.of(SECOND);
        clock.advance(Long.MAX_VALUE - SECOND.toNanos() / 2);
        assertThat(window.tryRecord(clock.read(), 1)).isTrue();

        clock.advance(SECOND);
        assertThat(clock.read()).isNegative();
        assertThat(window.tryRecord(clock.read(), 1)).isFalse();

        clock.advance(NANOSECOND);
        assertThat(window.tryRecord(clock.read(), 1)).isTrue();
    }

    /**
     * Elasticsearch's {@code TimeSeriesCounter} discards everything at an event that is older than its longest
     * interval.
     */
    @Test
    void elasticsearch_veryLateEventResetsAll_isIgnored() {
        EventWindow window = EventWindow.of(Duration.ofHours(24));
        clock.advance(Duration.ofHours(100));
        recordEvery(SECOND, 100, window);

        assertThat(window.record(0)).isEqualTo(100);
    }

    /** Elasticsearch's {@code TimeSeriesCounter} counts a late event as one of now, and so for too long. */
    @Test
    void elasticsearch_lateEventStampedNow_goesAtItsOwnTime() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(5));
        clock.advance(Duration.ofMinutes(4));
        window.record(clock.read());
        window.record(0);

        clock.advance(Duration.ofMinutes(2));

        assertThat(window.count(clock.read())).isEqualTo(1);
    }

    /**
     * How long to wait: limits (#202) said it of the newest event instead of the oldest, Symfony (#40289) 48 seconds
     * where one is right, and .NET (aspnetcore#52411) nothing.
     */
    @Test
    void limits_waitsForTheNewest_waitsForTheOldest() {
        EventWindow window = EventWindow.of(Duration.ofSeconds(60));
        recordEvery(Duration.ofSeconds(10), 6, window);

        long wait = window.nanosUntilBelow(clock.read(), 6);

        assertThat(wait).isEqualTo(1);
        clock.advance(wait);
        assertThat(window.tryRecord(clock.read(), 6)).isTrue();
    }

    /** One step of the clock into the future made microbus refuse nearly every request from then on. */
    @Test
    void microbus_refusesForEverAfterAClockStep_clearIsTheRemedy() {
        EventWindow window = EventWindow.of(SECOND);
        window.tryRecord(clock.read() + Duration.ofDays(1).toNanos(), 1);
        assertThat(window.tryRecord(clock.read(), 1)).isFalse();

        window.clear();

        assertThat(window.tryRecord(clock.read(), 1)).isTrue();
        assertThatWindow(window).holds(clock.read());
    }

    private void recordEvery(Duration step, int events, EventWindow window) {
        IntStream.range(0, events).forEach(i -> {
            window.record(clock.read());
            clock.advance(step);
        });
    }
}
