package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What other libraries' counters get wrong: above each test, what the other library does. What the rules of {@link
 * EventWindowTest} show by themselves is not repeated: Armeria (#2761) and Hystrix leave out the newest or oldest
 * bucket, Sentinel (#3309) counts a millisecond too long and nothing before zero, Commons Lang's breaker expires nothing
 * then, Resilience4j (#1034) has whole seconds only, jrugged's counter ends at its capacity.
 */
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

    /** Failsafe's {@code TimedCircuitStats} slides when something is recorded, not when it is read. */
    @Test
    void failsafe_readingsDoNotSlide_countDoes() {
        EventWindow window = EventWindow.of(Duration.ofSeconds(10));
        window.record(clock.read());
        clock.advance(Duration.ofSeconds(60));

        assertThat(window.count(clock.read())).isZero();
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

    /** Sentinel's {@code LeapArray} puts a late event into a bucket that is never read (#586). */
    @Test
    void sentinel_lateEventsAreLost_areCounted() {
        EventWindow window = EventWindow.of(SECOND);
        recordEvery(MILLISECOND, 100, window);
        clock.advance(Duration.ofMillis(-900));

        assertThat(window.record(clock.read())).isEqualTo(101);
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

    private void recordEvery(Duration step, int events, EventWindow window) {
        IntStream.range(0, events).forEach(i -> {
            window.record(clock.read());
            clock.advance(step);
        });
    }
}
