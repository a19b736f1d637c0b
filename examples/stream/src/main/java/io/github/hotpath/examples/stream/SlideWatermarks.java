package io.github.hotpath.examples.stream;

import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * A watermark at the end of each window, as soon as two events come, one after the other, whose times are later by more
 * than events are out of order. So one event with a wrong time, such as a day ahead, does not make all others late.
 *
 * <p>Flink's own bounded watermarks are emitted by a clock, so it depends on the speed of the machine which events are
 * late. These depend on the events and their order alone, and so do the results; and there are no more of them than
 * windows.
 *
 * @param <T> the type of the events
 */
final class SlideWatermarks<T> implements WatermarkGenerator<T> {
    private final long outOfOrderMillis;
    private final long slideMillis;
    private long previous = Long.MIN_VALUE / 2; // earlier than all, and no sum overflows
    private long end = Long.MIN_VALUE / 2;

    private SlideWatermarks(long outOfOrderMillis, long slideMillis) {
        this.outOfOrderMillis = outOfOrderMillis;
        this.slideMillis = slideMillis;
    }

    /**
     * Returns such watermarks, for the times that the source gives to events unless others are assigned.
     *
     * @param outOfOrder how much earlier an event may be than two in a row before it
     * @param slide from the end of a window to that of the next
     * @throws IllegalArgumentException if {@code outOfOrder} is negative
     */
    static <T> WatermarkStrategy<T> of(Duration outOfOrder, Duration slide) {
        if (outOfOrder.isNegative()) {
            throw new IllegalArgumentException("out-of-order: " + outOfOrder + " (expected: at least PT0S)");
        }
        long outOfOrderMillis = outOfOrder.toMillis();
        long slideMillis = slide.toMillis();
        return context -> new SlideWatermarks<>(outOfOrderMillis, slideMillis);
    }

    @Override
    public void onEvent(T event, long time, WatermarkOutput output) {
        SlidingCounts.checkTime(time);
        long passed = Math.floorDiv(Math.min(previous, time) - outOfOrderMillis, slideMillis) * slideMillis;
        previous = time;
        if (passed > end) {
            end = passed;
            output.emitWatermark(new Watermark(end - 1));
        }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
        // those of onEvent are all: they do not depend on a clock
    }
}
