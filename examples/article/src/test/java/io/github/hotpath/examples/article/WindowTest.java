package io.github.hotpath.examples.article;

import static io.github.hotpath.examples.article.Window.INTERVAL_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WindowTest {
    @ParameterizedTest
    @MethodSource("stagesAndStarts")
    void record_eventsPastTheInterval_countsThoseUpToItsEnd(Stage stage, long start) {
        Window window = stage.newWindow();

        assertThat(window.record(start)).isEqualTo(1);
        assertThat(window.record(start)).isEqualTo(2);
        assertThat(window.record(start + 1)).isEqualTo(3);
        assertThat(window.record(start + INTERVAL_NANOS)).isEqualTo(4); // exactly as old as the interval: still in
        assertThat(window.record(start + INTERVAL_NANOS + 1)).isEqualTo(3);
        assertThat(window.record(start + INTERVAL_NANOS + 2)).isEqualTo(3);
        assertThat(window.record(start + 3 * INTERVAL_NANOS)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("stagesAndStarts")
    void record_steadyEvents_countsAsManyAsFit(Stage stage, long start) {
        Window window = stage.newWindow();
        long step = INTERVAL_NANOS / 10;

        long[] counts = LongStream.range(0, 100)
                .map(turn -> window.record(start + turn * step))
                .toArray();

        assertThat(counts)
                .containsExactly(LongStream.range(0, 100)
                        .map(turn -> Math.min(turn + 1, 11))
                        .toArray());
    }

    /** The clock wraps at the first event, inside the interval, and long after it. */
    static Stream<Arguments> stagesAndStarts() {
        return Stream.of(Stage.values())
                .flatMap(stage -> LongStream.of(
                                Long.MIN_VALUE,
                                -1,
                                0,
                                Long.MAX_VALUE - 5 * INTERVAL_NANOS,
                                Long.MAX_VALUE - 1,
                                Long.MAX_VALUE)
                        .mapToObj(start -> Arguments.of(stage, start)));
    }
}
