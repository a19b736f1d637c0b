package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import io.github.hotpath.testing.Structure;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Events out of order: sources that are each in order but behind one another, as partitions of a replay, and single
 * events, which move others across chunks.
 */
class LateEventsTest {
    private static final int EVENTS = 5_000;

    /** Whether a source is moved for is seen by the place of its events: all of them, and no other, are in one log. */
    @ParameterizedTest(name = "{0} sources")
    @ValueSource(ints = {2, 3, 8})
    void record_sourceAfterSource_eachIsAppendedToALogOfItsOwn(int sources) {
        EventWindow window = EventWindow.of(Duration.ofNanos(Long.MAX_VALUE));
        int ahead = 2 * Chunks.MAX_LENGTH; // events near the end of the window's log would be inserted there

        record(window, 0, sources);
        for (int i = 0; i < ahead; i++) {
            window.record((long) sources * EVENTS + i);
        }
        for (int source = 1; source < sources; source++) {
            assertThat(record(window, source, sources)).isEqualTo((source + 1L) * EVENTS + ahead);
        }

        assertThat(window.log.size()).isEqualTo(EVENTS + ahead);
        EventLog[] logs = window.late.logs();
        for (int source = 1; source < sources; source++) {
            long[] times = new long[EVENTS];
            logs[source - 1].copyTo(times, 0);
            assertThat(times).isEqualTo(times(source, sources));
        }
        assertThat(window.toArray())
                .isEqualTo(LongStream.range(0, sources * EVENTS + ahead).toArray());
        window.checkInvariants();
    }

    @Test
    void record_moreSourcesThanLogs_countsAll() {
        EventWindow window = EventWindow.of(Duration.ofNanos(Long.MAX_VALUE));

        for (int source = 0; source < 10; source++) {
            record(window, source, 10);
        }

        assertThat(window.toArray()).isEqualTo(LongStream.range(0, 10L * EVENTS).toArray());
        window.checkInvariants();
    }

    /** Two sources, one always behind: the first stays in the window's log. */
    @Test
    void record_sourcesInTurns_eachIsAppended() {
        EventWindow window = EventWindow.of(Duration.ofNanos(100_000));

        for (long time = 0; time < 300_000; time += 10) {
            long first = Math.min(time, 100_000) / 10 + 1;
            assertThat(window.record(time))
                    .isEqualTo(first + (time <= 50_000 ? 0 : Math.min(time - 50_000, 50_000) / 10));
            if (time >= 50_000) {
                assertThat(window.record(time - 50_000)).isEqualTo(first + Math.min(time - 50_000, 50_000) / 10 + 1);
            }
        }

        assertThat(window.log.size()).isEqualTo(10_001);
        assertThat(window.size()).isEqualTo(10_001 + 5_001);
        window.checkInvariants();
    }

    @Test
    void record_lateSourceExpires_memoryIsReleased() {
        EventWindow window = EventWindow.of(Duration.ofNanos(20_000));
        record(window, 0, 2);
        record(window, 1, 2);
        assertThat(window.size()).isGreaterThan(window.log.size());

        window.record(100_000);

        assertThat(window.toArray()).containsExactly(100_000);
        assertThat(Structure.bytes(window)).isLessThanOrEqualTo(200);
    }

    private static long record(EventWindow window, int source, int sources) {
        long count = 0;
        for (long time : times(source, sources)) {
            count = window.record(time);
        }
        return count;
    }

    /** Returns times in order that interleave with those of the other sources. */
    private static long[] times(int source, int sources) {
        return LongStream.range(0, EVENTS)
                .map(i -> i * sources + (sources - 1 - source))
                .toArray();
    }

    @ParameterizedTest(name = "{0} events")
    @MethodSource("io.github.hotpath.window.ChunkEdgesTest#sizes")
    void record_lateOnceAtAnyPlace_movesWhatIsLaterAcrossTheChunks(int n) {
        SplittableRandom random = Seed.random("late once " + n);
        long[] times = Windows.times(StartTimes.BEFORE_THE_WRAP, n);

        IntStream anywhere = random.ints(30, 0, n);
        for (int place : IntStream.concat(IntStream.of(0, n - 1), anywhere).toArray()) {
            EventWindow window = Windows.byRandomRoute(times, random);
            long late = times[place] - 1;

            assertThat(window.record(late)).as("at %s", place).isEqualTo(n + 1);

            long[] expected = Arrays.copyOf(times, n + 1);
            System.arraycopy(times, place, expected, place + 1, n - place);
            expected[place] = late;
            assertThatWindow(window).as("at %s", place).holds(expected);
        }
    }
}
