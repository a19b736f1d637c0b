package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random streams with late events and some that are far ahead, with restarts at any place, from the last checkpoint and
 * with any number of subtasks, after which the events since are repeated: the results are those of a stream without
 * failures, and what is said twice is said twice the same.
 */
class RestartFuzzTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261121);

    /** Events, and watermarks, which have the key -1. */
    private final List<Event> stream = new ArrayList<>();

    static IntStream cases() {
        return IntStream.range(0, 25);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void count_restartsAnywhere_asTheNaiveCount(int testCase) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED + testCase);
        Duration slide = Duration.ofMillis(1 + random.nextInt(20));
        Duration size = slide.multipliedBy(1 + random.nextInt(10)).plusMillis(random.nextInt(5));
        long start = random.nextLong(1L << 41) - (1L << 40);
        makeStream(random, start, size.toMillis());
        NaiveCounts naive = new NaiveCounts(size, slide, start);
        stream.forEach(event -> {
            if (event.key() < 0) {
                naive.watermark(event.time());
            } else {
                naive.process(event.key(), event.time());
            }
        });

        Subtasks subtasks = new Subtasks(size, slide);
        try {
            subtasks.start(1 + random.nextInt(3));
            run(subtasks, random);

            assertThat(new HashSet<>(subtasks.results()))
                    .as("run again with -Dhotpath.seed=%d", SEED)
                    .hasSameSizeAs(naive.results())
                    .containsAll(naive.results());
        } finally {
            subtasks.close();
        }
    }

    private void makeStream(SplittableRandom random, long start, long size) {
        stream.add(new Event(-1, start));
        long watermark = start;
        long time = start;
        for (int i = 0; i < 300; i++) {
            time += random.nextLong(Math.max(2, size / 10));
            if (random.nextInt(4) == 0) {
                watermark = Math.max(watermark, time - random.nextLong(size));
                stream.add(new Event(-1, watermark));
            }
            long moved = switch (random.nextInt(10)) {
                case 0 -> time + random.nextLong(5 * size); // ahead
                case 1 -> watermark + 1 - random.nextLong(2 * size); // late
                default -> time - random.nextLong(size); // late, or not
            };
            // Each key has events for some time only, and then none for long.
            stream.add(new Event(random.nextInt(3) + (i / 50) % 3 * 3L, moved));
        }
        stream.add(new Event(-1, time + 10 * size));
    }

    private void run(Subtasks subtasks, SplittableRandom random) throws Exception {
        int parallelism = 1 + random.nextInt(3);
        Subtasks.Checkpoint checkpoint = null;
        int restartAt = 0;
        for (int at = 0; at < stream.size(); at++) {
            if (checkpoint != null && random.nextInt(60) == 0) {
                parallelism = random.nextBoolean() ? parallelism : 1 + random.nextInt(3);
                subtasks.restart(checkpoint, parallelism);
                checkpoint = random.nextBoolean() ? checkpoint : subtasks.checkpoint();
                at = restartAt;
            }
            if (random.nextInt(20) == 0) {
                checkpoint = subtasks.checkpoint();
                restartAt = at;
            }
            Event event = stream.get(at);
            if (event.key() < 0) {
                subtasks.watermark(event.time());
            } else {
                subtasks.process(event.key(), event.time());
            }
        }
    }
}
