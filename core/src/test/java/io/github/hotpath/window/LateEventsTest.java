package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static io.github.hotpath.window.WindowAssert.assertTimes;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.Memory;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Events out of order: sources that are behind one another, as partitions of a replay, and single events, each in its
 * place in the chunks. {@link Insides} has what makes a record cheap: that no chunk is longer than 1024 events.
 */
class LateEventsTest {
    private static final int EVENTS = 100_000;

    /** Sources, by how many events each is behind the one before, and within how many its own are out of order. */
    @ParameterizedTest(name = "{0} sources, {1} events apart, jitter {2}: {3} bytes an event")
    @CsvSource({
        "2, 0, 1, 9",
        "2, 30000, 1, 9",
        "8, 10000, 1, 12",
        "8, 10000, 10, 14",
        "20, 1000, 1, 12",
        "20, 4000, 300, 16",
        "1, 0, 100000, 16"
    })
    void record_sourcesBehindOneAnother_countsAllInChunksThatAreFullEnough(
            int sources, int apart, int jitter, int bytesAnEvent) {
        EventWindow window = EventWindow.of(Duration.ofNanos(Long.MAX_VALUE));
        SplittableRandom random = Seed.random("late " + sources + jitter);
        long[] times = new long[EVENTS];
        for (int i = 0; i < EVENTS; i++) {
            int source = i % sources;
            times[i] = (i / sources - (long) source * apart + random.nextInt(jitter)) * sources + source;
            assertThat(window.record(times[i])).isEqualTo(i + 1);
        }

        Arrays.sort(times);
        assertThatWindow(window).holds(times);
        assertThat(Memory.bytes(window)).isLessThanOrEqualTo((long) bytesAnEvent * EVENTS);
        for (int rank = 1; rank <= EVENTS; rank += 997) {
            Duration span = Duration.ofNanos(times[EVENTS - 1] - times[EVENTS - rank]);
            long within = Arrays.stream(times)
                    .filter(time -> times[EVENTS - 1] - time <= span.toNanos())
                    .count();
            assertThat(window.count(times[EVENTS - 1], span)).isEqualTo(within);
        }
    }

    /** Ten orders in which n late events arrive, by the ranks of their times. */
    private enum Order {
        ASCENDING((i, n) -> i),
        DESCENDING((i, n) -> n - 1 - i),
        DESCENDING_AFTER_A_FULL_CHUNK((i, n) -> i < 1_024 ? i : n - 1 - (i - 1_024)),
        DESCENDING_PAGES_ASCENDING_WITHIN((i, n) -> n - 100 - i / 100 * 100 + i % 100),
        ASCENDING_PAGES_DESCENDING_WITHIN((i, n) -> i / 100 * 100 + 99 - i % 100),
        FROM_BOTH_ENDS((i, n) -> i % 2 == 0 ? i / 2 : n - 1 - i / 2),
        TO_BOTH_ENDS((i, n) -> i % 2 == 0 ? n / 2 + i / 2 : n / 2 - 1 - i / 2),
        SOURCES_THAT_RUN_BACKWARDS((i, n) -> i % 8 * (n / 8) + n / 8 - 1 - i / 8),
        TWO_SOURCES_APART((i, n) -> i % 2 * (n / 2) + i / 2),
        SCATTERED((i, n) -> (int) (i * 7_919L % n));

        private final IntBinaryOperator rank;

        Order(IntBinaryOperator rank) {
            this.rank = rank;
        }
    }

    /** No order makes more chunks than two for 1024 events, more room than 16 bytes an event, or more moves than a chunk. */
    @ParameterizedTest
    @EnumSource
    void add_inAnyOrder_chunksRoomAndMovesAreBounded(Order order) {
        int n = 8_000;
        LateEvents late = new LateEvents(order.rank.applyAsInt(0, n));
        for (int i = 1; i < n; i++) {
            List<long[]> before = late.chunks.stream()
                    .map(chunk -> Arrays.copyOfRange(chunk.times, chunk.head, chunk.tail))
                    .toList();
            late.add(order.rank.applyAsInt(i, n), n);

            int changed = 0;
            int room = 0;
            for (LateEvents.Chunk chunk : late.chunks) {
                changed += before.stream().anyMatch(times -> holds(chunk, times)) ? 0 : chunk.tail - chunk.head;
                room += chunk.times.length;
            }
            assertThat(changed)
                    .as("events in the chunks that event %s has changed", i)
                    .isLessThanOrEqualTo(1_025);
            assertThat(room).as("places for %s events", i + 1).isLessThanOrEqualTo(Math.max(2 * (i + 1), 8));
            assertThat(late.chunks).hasSizeLessThanOrEqualTo(1 + 2 * i / 1_024);
        }

        long[] times = new long[n];
        late.copyTo(times, 0);
        assertTimes(times, LongStream.range(0, n).toArray(), "all");
    }

    private static boolean holds(LateEvents.Chunk chunk, long[] times) {
        return Arrays.equals(chunk.times, chunk.head, chunk.tail, times, 0, times.length);
    }

    /** Events a little out of order are inserted in the log: a window with others takes more time and memory. */
    @ParameterizedTest(name = "{0} events in the window")
    @ValueSource(ints = {5, 100, 500})
    void record_littleOutOfOrder_staysInTheLog(int n) {
        EventWindow window = Windows.ofNanos(n - 1);

        for (long time = 0; time < 5_000; time += 2) {
            window.record(time + 1);
            window.record(time);
            assertThat(window.late).isNull();
        }

        assertThat(window.size()).isBetween(n - 1L, (long) n);
    }

    /** The same ones again and again: what expires in the oldest chunk is room for others. */
    @Test
    void record_lateSourceExpires_memoryIsReleased() {
        EventWindow window = Windows.ofNanos(20_000);
        for (long time = 0; time < 100_000; time++) {
            window.record(time);
            window.record(time - 10_000 - time % 7);
            if (time % 1_000 == 0) {
                Insides.check(window);
                assertThat(Memory.bytes(window)).isLessThanOrEqualTo(30_000 * 10 + 30_000);
            }
        }

        window.record(200_000);

        assertThatWindow(window).holds(200_000);
        assertThat(window.late).isNull();
        assertThat(Memory.bytes(window)).isLessThanOrEqualTo(200);
    }

    @Test
    void add_toAFullChunkAtAnyPlace_isInOrder() {
        for (int place = 0; place <= 1_024; place++) {
            LateEvents late = new LateEvents(0);
            for (int i = 1; i < 1_024; i++) {
                late.add(2 * i, 10_000);
            }

            late.add(2 * place - 1, 10_000);

            long[] times = new long[1_025];
            late.copyTo(times, 0);
            LongStream expected =
                    LongStream.concat(LongStream.range(0, 1_024).map(i -> 2 * i), LongStream.of(2L * place - 1));
            assertTimes(times, expected.sorted().toArray(), "at " + place);
        }
    }

    @ParameterizedTest(name = "{0} events")
    @MethodSource("io.github.hotpath.window.ChunkEdgesTest#sizes")
    void record_lateOnceAtAnyPlace_movesWhatIsLaterAcrossTheChunks(int n) {
        SplittableRandom random = Seed.random("late once " + n);
        long[] times = Windows.times(StartTimes.BEFORE_THE_WRAP, n);

        IntStream anywhere = random.ints(12, 0, n);
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
