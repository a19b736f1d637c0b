package io.github.hotpath.examples.stream;

import java.io.Serializable;
import java.time.Duration;
import java.util.SplittableRandom;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * A stream of events that are numbered from 0, and follow from the numbers. Events come out of order by up to two
 * seconds, which the watermarks allow for. One in a hundred comes later still, and one in five thousand is ahead.
 */
record GeneratedEvents(int keys) implements Serializable {
    private static final long START = 1_763_640_000_000L;
    private static final int PER_SECOND = 5_000;
    private static final int OUT_OF_ORDER_MILLIS = 2_000;
    private static final int LATE_MILLIS = 30_000;
    private static final int AHEAD_MILLIS = 90_000;

    /** Returns the event of that number. */
    Event event(long number) {
        SplittableRandom random = new SplittableRandom(number);
        long time = START + number * 1_000 / PER_SECOND - random.nextInt(OUT_OF_ORDER_MILLIS);
        int kind = random.nextInt(5_000);
        if (kind == 0) {
            time += random.nextInt(AHEAD_MILLIS);
        } else if (kind <= 50) {
            time -= OUT_OF_ORDER_MILLIS + random.nextInt(LATE_MILLIS);
        }
        return new Event(random.nextInt(keys), time);
    }

    /** Returns the times and watermarks of a stream of the numbers. */
    WatermarkStrategy<Long> watermarks(Duration slide) {
        return SlideWatermarks.<Long>of(Duration.ofMillis(OUT_OF_ORDER_MILLIS), slide)
                .withTimestampAssigner((number, unknown) -> event(number).time());
    }
}
