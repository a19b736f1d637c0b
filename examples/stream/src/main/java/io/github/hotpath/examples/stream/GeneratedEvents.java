package io.github.hotpath.examples.stream;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * A stream of events that are numbered from 0, and of watermarks between them. All of them follow from the numbers, so
 * that each result is known. Events come out of order by up to two seconds, which the watermarks allow for. One in a
 * hundred comes later still, and one in five thousand is ahead.
 */
record GeneratedEvents(long events, int keys) implements Serializable {
    private static final long START = 1_763_640_000_000L;
    private static final int PER_SECOND = 5_000;
    private static final int PER_WATERMARK = 500;
    private static final int OUT_OF_ORDER_MILLIS = 2_000;
    private static final int LATE_MILLIS = 30_000;
    private static final int AHEAD_MILLIS = 90_000;

    /** Returns the event of that number. */
    Event event(long number) {
        SplittableRandom random = new SplittableRandom(number);
        long time = base(number) - random.nextInt(OUT_OF_ORDER_MILLIS);
        int kind = random.nextInt(5_000);
        if (kind == 0) {
            time += random.nextInt(AHEAD_MILLIS);
        } else if (kind <= 50) {
            time -= OUT_OF_ORDER_MILLIS + random.nextInt(LATE_MILLIS);
        }
        return new Event(random.nextInt(keys), time);
    }

    private static long base(long number) {
        return START + number * 1_000 / PER_SECOND;
    }

    /** Whether a watermark comes after the event of that number. */
    private static boolean hasWatermark(long number) {
        return number % PER_WATERMARK == PER_WATERMARK - 1;
    }

    private static long watermark(long number) {
        return base(number) - OUT_OF_ORDER_MILLIS;
    }

    /** Returns the times and watermarks of a stream of the numbers. */
    WatermarkStrategy<Long> watermarks() {
        GeneratedEvents stream = this;
        WatermarkStrategy<Long> watermarks = context -> new WatermarkGenerator<>() {
            @Override
            public void onEvent(Long number, long time, WatermarkOutput output) {
                if (hasWatermark(number)) {
                    output.emitWatermark(new Watermark(watermark(number)));
                }
            }

            @Override
            public void onPeriodicEmit(WatermarkOutput output) {
                // those of onEvent are all: they do not depend on when they are requested
            }
        };
        return watermarks.withTimestampAssigner(
                (number, unknown) -> stream.event(number).time());
    }

    /** How many windows have their count, and how many another one, or none. */
    record Comparison(long exact, long wrong) {}

    /**
     * Compares results with those that are counted the naive way: each event adds 1 to every one of its windows that
     * the watermark has not passed.
     */
    Comparison compare(Collection<Count<Long>> results, Duration size, Duration slide) {
        Map<Long, long[]> expected = new HashMap<>(); // the counts of all keys by the end of the window
        long watermark = Long.MIN_VALUE;
        for (long number = 0; number < events; number++) {
            Event event = event(number);
            long end = Math.floorDiv(event.time(), slide.toMillis()) * slide.toMillis() + slide.toMillis();
            for (; end <= event.time() + size.toMillis(); end += slide.toMillis()) {
                if (end - 1 > watermark) {
                    expected.computeIfAbsent(end, ignored -> new long[keys])[(int) event.key()]++;
                }
            }
            watermark = hasWatermark(number) ? watermark(number) : watermark;
        }
        long windows = expected.values().stream()
                .flatMapToLong(counts -> Arrays.stream(counts).filter(count -> count > 0))
                .count();
        long exact = results.stream()
                .distinct()
                .filter(result -> expected.getOrDefault(result.end(), new long[keys])[
                                result.key().intValue()]
                        == result.count())
                .count();
        long others = results.stream().distinct().count() - exact;
        return new Comparison(exact, Math.max(others, windows - exact));
    }
}
