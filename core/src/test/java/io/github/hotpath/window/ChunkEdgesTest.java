package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Windows of the sizes at which a chunk is full, begun, or released, for any position of the head. */
class ChunkEdgesTest {

    /**
     * Around each power of two that a chunk may be long, around where the chunks of a window that only grows end, and
     * more.
     */
    static IntStream sizes() {
        return IntStream.of(8, 16, 32, 40, 64, 128, 168, 256, 512, 680, 1024, 1704, 2048, 2728, 3752, 10_000)
                .flatMap(edge -> IntStream.of(edge - 1, edge, edge + 1));
    }

    @ParameterizedTest(name = "{0} events")
    @MethodSource("sizes")
    void record_steady_staysAtTheSameCount(int n) {
        long start = StartTimes.BEFORE_THE_WRAP;
        long[] times = Windows.times(start, n);
        EventWindow window = Windows.holding(2 * (n - 1), times);

        for (long i = n; i < n + 5_000; i++) {
            assertThat(window.record(start + 2 * i)).isEqualTo(n);
        }

        assertThatWindow(window).holds(Windows.times(start + 10_000, n));
    }

    /** Other ring buffers have faults that depend on the position of the head when they grow. */
    @ParameterizedTest(name = "{0} events")
    @MethodSource("sizes")
    void record_growingWhileTrimmed_holdsAll(int n) {
        SplittableRandom random = Seed.random("growing " + n);

        for (int i = 0; i < 10; i++) {
            long start = random.nextLong();
            int before = 1 + random.nextInt(n);
            EventWindow window = Windows.byRandomRoute(Windows.times(start, before), random);
            for (int j = before; j < n; j++) {
                assertThat(window.record(start + 2L * j)).isEqualTo(j + 1);
            }

            assertThatWindow(window).holds(Windows.times(start, n));
        }
    }

    /** By a trim, which leaves none at the least, and by a record, which leaves itself. */
    @ParameterizedTest(name = "{0} events")
    @MethodSource("sizes")
    void trimAndRecord_leavingAnyNumber_keepTheNewest(int n) {
        SplittableRandom random = Seed.random("leaving " + n);
        long[] times = Windows.times(StartTimes.BEFORE_THE_WRAP, n);

        for (int left : IntStream.concat(
                        sizes(), IntStream.of(0, 1, 2, n / 4 - 1, n / 4, n / 4 + 1, n - 9, n - 8, n - 1))
                .filter(k -> k >= 0 && k < n)
                .toArray()) {
            EventWindow trimmed = Windows.byRandomRoute(times, random);
            EventWindow window = random.nextBoolean() ? trimmed : Windows.byRandomRoute(times, random);
            long[] kept = Arrays.copyOfRange(times, n - left, n + 1);
            kept[left] = times[n - left - 1] + Windows.INTERVAL + 1;

            trimmed.trim(kept[left]);
            assertThatWindow(trimmed).as("%s left", left).holds(Arrays.copyOf(kept, left));
            assertThat(window.record(kept[left])).isEqualTo(left + 1);
            assertThatWindow(window).as("%s left", left).holds(kept);
        }
    }

    @ParameterizedTest(name = "{0} events")
    @MethodSource("sizes")
    void count_spanUpToAnyEvent_findsTheBorderInEachChunk(int n) {
        long start = StartTimes.BEFORE_THE_WRAP;
        EventWindow window = Windows.byRandomRoute(Windows.times(start, n), Seed.random("span " + n));
        long now = start + 2 * (n - 1);

        for (int rank = 1; rank <= n; rank++) {
            assertThat(window.count(now, Duration.ofNanos(2 * (rank - 1)))).isEqualTo(rank);
            assertThat(window.count(now, Duration.ofNanos(2 * rank - 1))).isEqualTo(rank);
            assertThat(window.count(now - 2 * rank + Windows.INTERVAL + 2)).isEqualTo(rank);
        }
    }
}
