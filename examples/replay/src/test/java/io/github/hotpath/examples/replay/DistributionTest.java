package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.replay.Distribution.Point;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DistributionTest {
    private static List<Point> points(double weight, long... ascending) {
        return Distribution.of(Duration.ofMinutes(1), ascending, weight, List.of())
                .points();
    }

    @Test
    void of_clients_areThoseAbove() {
        assertThat(points(1, 1, 1, 2, 5, 5, 9))
                .containsExactly(new Point(1, 4), new Point(2, 3), new Point(5, 1), new Point(9, 0));
        assertThat(points(4, 7)).containsExactly(new Point(7, 0));
        assertThat(points(4, 7, 8)).containsExactly(new Point(7, 4), new Point(8, 0));
    }

    @Test
    void of_manyClients_haveFewPoints() {
        List<Point> points = points(1, LongStream.rangeClosed(1, 1_000_000).toArray());

        assertThat(points).hasSizeLessThan(3000).allMatch(point -> point.clients() == 1_000_000 - point.permits());
        assertThat(points)
                .startsWith(new Point(1, 999_999), new Point(2, 999_998))
                .endsWith(new Point(1_000_000, 0));
    }
}
