package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.FromAnyStart;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import io.github.hotpath.window.AnyWindow.Kind;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules of time, which all windows share. Other libraries' counters have faults that these rules show by
 * themselves: Armeria (#2761) and Hystrix leave out the newest or oldest bucket, Sentinel (#3309) counts a millisecond
 * too long, Resilience4j (#1034) and Vert.x have no interval below a second. Others are named where they are tested.
 */
class EventWindowTest {
    private static final int[] SIZES = {0, 1, 8, 9, 600, 3_000};

    /**
     * A rule, the interval, and calls, one after the other, of each kind of window, whose clock starts anywhere: {@code
     * 5} records at that time, {@code 5=2} and counts two; {@code count:7=1} counts one at that time, {@code
     * count:7/3=1} within a span of 3; {@code holds:1:5} compares the events. H, M and W are 2^62, 2^63 - 1 and 2^63.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    the first one counts whatever its time  | 10 | 0=1 holds:0
                    the first one sets the latest time      | 10 | 0=1 count:-100=1 -11=1 holds:0
                    one exactly as old as the interval      | 10 | 0=1 10=2 holds:0:10
                    one a nanosecond older                  | 10 | 0 11=1 count:0=1 holds:11
                    equal times count each, expire together | 10 | 0 0 0 10=4 11=2 holds:10:11
                    interval zero counts the very time only | 0  | 0 0 count:0=2 count:1=0 1=1 0=1 holds:1
                    the longest interval                    | M  | 0 1 M=3 M+1=3 holds:1:M:M+1 M-1=4
                    an age is unsigned | H+5 | 0 H+5 count:H+5+M=0 H+5+M=1 holds:H+5+M
                    long after a trim  | M   | 0 trim:M count:0=1 M+M=1 count:0=1 count:-2+M=1 count:-2+W=1

                    late ones are put in their places  | 10 | 0 2 8 5=4 1=5 -1=6 holds:-1:0:1:2:5:8
                    late ones expire at their times    | 10 | 0 2 8 5 1 -1 5 count:8=7 count:10=6 count:11=5 \
                    count:12=4 count:13=3 count:15=3 count:16=1 count:19=0
                    a late one is not the latest time  | 10 | 8 0 -2=3 count:0=3 9=3 holds:0:8:9
                    a late one at a time that is there | 10 | 0 5 5 8 5=5 holds:0:5:5:5:8
                    exactly as late as the interval    | 10 | 0 -10=2 holds:-10:0 count:1=1 1=2 holds:0:1
                    a nanosecond too late              | 10 | 0 -10 -11=2 -M=2 W=2 holds:-10:0
                    2^63 ago is too late for any       | M  | 0 W=1 holds:0 -M=2 holds:-M:0
                    late in an empty window | 10 | 0 trim:20 9=0 15=1 12=2 17=3 holds:12:15:17 count:23=2 count:26=1

                    a new window counts none | 10 | count:0=0 count:0/0=0 holds:
                    # Failsafe's TimedCircuitStats slides when something is recorded, not when it is read
                    later counts             | 10 | 0 3 5 count:10=3 count:11=2 count:13=2 count:15=1 count:16=0 \
                    count:5+M=0 holds:0:3:5
                    earlier counts are of the latest time | 10 | 0 5 count:4=2 count:-1000=2 count:5-M=2 count:4/4=1
                    2^63 away is not later                | 10 | 0 count:W=1 count:W/0=1
                    a count sets no latest time           | 10 | count:1000=0 count:1000/0=0 0=1
                    a span is a shorter window            | 10 | 0 3 3 10 count:10/0=1 count:10/6=1 count:10/7=3 \
                    count:10/9=3 count:10/10=4 count:12/1=0 count:12/9=3 count:4/9=3

                    trim evicts, and sets the latest time | 10 | 0 5 trim:11 holds:5 0=1 1=2 holds:1:5
                    trim keeps what is as old             | 10 | 0 trim:10 holds:0
                    an earlier trim changes nothing       | 10 | 0 5 trim:4 trim:-1000 trim:5+W holds:0:5 -5=3 -6=3
                    a trim may be first                   | 10 | trim:0 -11=0 -10=1 holds:-10
                    trim evicts all                       | 10 | 0 5 trim:1000 holds: count:5=0 1000=1

                    clear is the remedy for a time too far in the future | 10 | 0 H 1=1 clear 3=1 4=2 holds:3:4
                    clear forgets the latest time                        | 10 | 0 clear count:0=0 -11=1 -12=2 holds:-12:-11

                    # Jetty's RateStatistic looks at the head only, so an old event behind a newer one stays as long
                    an old one behind a newer one | 10 | 10 5 count:15=2 count:16=1 16=2
                    # When the clock moves back, each call to Resilience4j's time window evicts live data
                    a clock that moves back       | 10 | 1 3 5 7 9 11 2=7 3=8 4=9 holds:1:2:3:3:4:5:7:9:11
                    # After a gap, Failsafe's TimedCircuitStats retains events for two intervals, Micrometer's
                    # TimeWindowSum (#7754, #2647) clears new ones, and Dropwizard's SlidingTimeWindowMovingAverages too
                    after a gap                   | 10 | 0 1 2 25=1 26=2 35=3 36=3 37=3 holds:35:36:37
                    # Dropwizard's SlidingTimeWindowArrayReservoir is empty after 417 days, which are 2^55 ns
                    after 417 days                | 10 | 0 1 36028797018963968=1 36028797018963969=2 36028797018963978=3
                    # Elasticsearch's TimeSeriesCounter discards all at an event older than its longest interval, and
                    # counts a late one as one of now; Sentinel's LeapArray (#586) puts it where nothing reads it
                    a very late one               | 24 | 100 101 102 0=3 99=4 count:123=4 count:124=3
                    """)
    void calls_ofAnyWindow_followTheRule(String rule, String interval, String calls) {
        for (Kind kind : Kind.values()) {
            StartTimes.all().forEach(start -> {
                AnyWindow window = kind.ofNanos(time(interval));
                for (String call : calls.split("\\s+", -1)) {
                    make(call, window, start, kind + " from " + start + ": " + call);
                }
            });
        }
    }

    private static void make(String call, AnyWindow window, long start, String description) {
        String[] parts = call.split("[:/=]");
        long[] times = Stream.of(parts)
                .filter(part -> part.matches("[-+0-9HMW]+"))
                .mapToLong(EventWindowTest::time)
                .toArray();
        switch (parts[0]) {
            case "count" ->
                assertThat(
                                call.contains("/")
                                        ? window.countSpan().at(start + times[0], Duration.ofNanos(times[1]))
                                        : window.count().applyAsLong(start + times[0]))
                        .as(description)
                        .isEqualTo(times[times.length - 1]);
            case "trim" -> window.trim().accept(start + times[0]);
            case "clear" -> window.clear().run();
            case "holds" -> {
                long[] held = window.toArray().get();
                if (held != null) {
                    assertThat(held)
                            .as(description)
                            .isEqualTo(LongStream.of(times)
                                    .map(time -> start + time)
                                    .toArray());
                }
            }
            default -> {
                if (times.length == 1) {
                    window.record().accept(start + times[0]);
                } else {
                    assertThat(window.recordAndCount().applyAsLong(start + times[0]))
                            .as(description)
                            .isEqualTo(times[1]);
                }
            }
        }
        window.checkInvariants().run();
    }

    /** Returns a sum of numbers and letters that stand for some. */
    private static long time(String sum) {
        long time = 0;
        for (String term : sum.split("(?=[-+])", -1)) {
            String value = term.replaceFirst("[-+]", "");
            long magnitude = switch (value) {
                case "H" -> 1L << 62;
                case "M" -> Long.MAX_VALUE;
                case "W" -> Long.MIN_VALUE;
                default -> Long.parseLong(value);
            };
            time += term.startsWith("-") ? -magnitude : magnitude;
        }
        return time;
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000000001S", "PT1M", "PT2562047H47M16.854775807S"})
    void interval_ofAnyLength_isTheOneGiven(Duration interval) {
        assertThat(EventWindow.of(interval).interval()).isEqualTo(interval);
        assertThat(ConcurrentEventWindow.of(interval).interval()).isEqualTo(interval);
        assertThat(BoundedEventWindow.of(interval, 0.01).interval()).isEqualTo(interval);
    }

    @FromAnyStart
    void clear_anyWindow_isAsIfNew(long start) {
        for (int n : SIZES) {
            EventWindow window = Windows.byRandomRoute(Windows.times(start, n), Seed.random("clear"));

            window.clear();

            assertThatWindow(window).isStill(Insides.state(Windows.ofNanos(Windows.INTERVAL)));
        }
    }

    @Test
    void toArray_changedByTheCaller_windowIsNot() {
        EventWindow window = Windows.holding(10, 1, 2);

        Arrays.fill(window.toArray(), 3);

        assertThatWindow(window).holds(1, 2);
    }

    /** Reads of Dropwizard's SlidingTimeWindowArrayReservoir expire events: each moves its time. */
    @FromAnyStart
    void reads_atAnyTime_changeNothing(long start) {
        for (int n : SIZES) {
            EventWindow window = Windows.byRandomRoute(Windows.times(start, n), Seed.random("readings"));
            String before = Insides.state(window);

            for (long nanos :
                    new long[] {start, start - 1, start + 2 * n, start + Windows.INTERVAL, start + (1L << 62)}) {
                window.count(nanos);
                window.count(nanos, Duration.ZERO);
                window.count(nanos, Duration.ofNanos(n));
            }
            window.toArray();
            assertThat(window.toString()).isNotEmpty();
            window.interval();

            assertThatWindow(window).isStill(before);
        }
    }
}
