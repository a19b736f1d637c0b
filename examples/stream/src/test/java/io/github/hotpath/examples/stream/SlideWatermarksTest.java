package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.junit.jupiter.api.Test;

class SlideWatermarksTest {
    private final List<Long> watermarks = new ArrayList<>();
    private final WatermarkGenerator<String> generator = SlideWatermarks.<String>of(
                    Duration.ofMillis(2_000), Duration.ofMillis(500))
            .createWatermarkGenerator(null);

    private void read(long... times) {
        LongStream.of(times)
                .forEach(time -> generator.onEvent("", time, new WatermarkOutput() {
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
                }));
    }

    @Test
    void onEvent_timesGrow_oneAtTheEndOfEachWindow() {
        read(2_499, 2_500, 2_600, 2_999, 3_000, 4_700);

        assertThat(watermarks).containsExactly(-1L, 499L, 999L, 2_499L);
    }

    @Test
    void onEvent_noTimestamp_isRejected() {
        assertThatIllegalStateException().isThrownBy(() -> read(TimestampAssigner.NO_TIMESTAMP));
        assertThat(watermarks).isEmpty();
    }

    @Test
    void onEvent_earlier_none() {
        read(-3_000, -3_001, -2_501);

        assertThat(watermarks).containsExactly(-5_001L);
    }

    @Test
    void of_negative_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SlideWatermarks.of(Duration.ofMillis(-1), Duration.ofSeconds(1)))
                .withMessage("out-of-order: PT-0.001S (expected: at least PT0S)");
    }
}
