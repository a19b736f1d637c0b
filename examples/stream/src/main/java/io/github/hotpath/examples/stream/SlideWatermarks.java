package io.github.hotpath.examples.stream;

import java.time.Duration;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * A watermark at the end of each window, as soon as an event comes whose time is later by more than events are out of
 * order.
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
    private long end = Long.MIN_VALUE;

    private SlideWatermarks(long outOfOrderMillis, long slideMillis) {
        this.outOfOrderMillis = outOfOrderMillis;
        this.slideMillis = slideMillis;
    }

    /**
     * Returns such watermarks, for the times that the source gives to events unless others are assigned.
     *
     * @param outOfOrder how much earlier an event may be than one before it
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
        if (time == TimestampAssigner.NO_TIMESTAMP) {
            throw new IllegalStateException("an event without a timestamp");
        }
        long passed = Math.floorDiv(time - outOfOrderMillis, slideMillis) * slideMillis;
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
