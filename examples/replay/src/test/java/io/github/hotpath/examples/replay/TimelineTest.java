package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    @Test
    void add_minutes_areCountedByKind() {
        Timeline timeline = new Timeline(2);

        timeline.add(0, 5 * MINUTE);
        timeline.add(0, 6 * MINUTE - 1);
        timeline.add(1, 7 * MINUTE);
        timeline.add(0, 3 * MINUTE);

        assertThat(timeline.width()).isEqualTo(Duration.ofMinutes(1));
        assertThat(timeline.startNanos()).isEqualTo(3 * MINUTE);
        assertThat(timeline.numbers(0)).containsExactly(1, 0, 2, 0, 0);
        assertThat(timeline.numbers(1)).containsExactly(0, 0, 0, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 2879, 2880, 2881, 10_000, 5_000_000})
    void add_randomTimes_areThoseOfAMap(long minutes) {
        long seed = Long.getLong("hotpath.seed", 3) + minutes;
        SplittableRandom random = new SplittableRandom(seed);
        Timeline timeline = new Timeline(1);
        long[] times =
                random.longs(2000, -minutes * MINUTE / 2, minutes * MINUTE / 2).toArray();

        Arrays.stream(times).forEach(time -> timeline.add(0, time));

        long width = timeline.width().toNanos();
        Map<Long, Long> expected = new TreeMap<>();
        Arrays.stream(times).forEach(time -> expected.merge(Math.floorDiv(time, width), 1L, Long::sum));
        Map<Long, Long> actual = new TreeMap<>();
        long[] numbers = timeline.numbers(0);
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] > 0) {
                actual.put(timeline.startNanos() / width + i, numbers[i]);
            }
        }
        assertThat(actual).as("seed %d", seed).isEqualTo(expected);
        assertThat(numbers).hasSizeLessThanOrEqualTo(Timeline.MOST_BINS);
        assertThat(width).isEqualTo(MINUTE * Long.highestOneBit(width / MINUTE));
        assertThat(numbers.length > Timeline.MOST_BINS / 2 - 2 || width == MINUTE)
                .isTrue(); // no coarser than needed
    }
}
