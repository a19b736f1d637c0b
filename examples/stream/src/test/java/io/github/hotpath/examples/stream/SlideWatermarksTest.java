package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.junit.jupiter.api.Test;

class SlideWatermarksTest {
    private final List<Long> watermarks = new ArrayList<>();
    private final WatermarkStrategy<Line> strategy =
            SlideWatermarks.ofLines(Duration.ofMillis(2_000), Duration.ofMillis(500));
    private final WatermarkGenerator<Line> generator = strategy.createWatermarkGenerator(null);
    private final TimestampAssigner<Line> times = strategy.createTimestampAssigner(null);

    private void read(String text) {
        Line line = Line.of("", 0, text);
        generator.onEvent(line, times.extractTimestamp(line, 0), new WatermarkOutput() {
            @Override
            public void emitWatermark(Watermark watermark) {
                watermarks.add(watermark.getTimestamp());
            }

            @Override
            public void markIdle() {
                throw new AssertionError();
            }

            @Override
            public void markActive() {
                throw new AssertionError();
            }
        });
    }

    @Test
    void onEvent_timesGrow_oneAtTheEndOfEachWindow() {
        List.of("1,2499", "1,2500", "1,2600", "1,2999", "1,3000", "1,4700").forEach(this::read);

        assertThat(watermarks).containsExactly(-1L, 499L, 999L, 2_499L);
    }

    @Test
    void onEvent_earlierOrUnreadable_none() {
        read("1,-3000");
        List.of("1,-3001", "", "key,time", "1,-2501").forEach(this::read);

        assertThat(watermarks).containsExactly(-5_001L);
    }
}
