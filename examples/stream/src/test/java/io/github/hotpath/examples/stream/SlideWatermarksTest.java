package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.common.collect.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void onEvent_timesGrow_oneAtTheEndOfEachWindowThatTwoHavePassed() {
        read(2_499, 2_500, 2_600, 2_999, 3_000, 4_700, 4_701);

        assertThat(watermarks).containsExactly(-1L, 499L, 999L, 2_499L);
    }

    @Test
    void onEvent_noTimestamp_isRejected() {
        assertThatIllegalStateException().isThrownBy(() -> read(3_000, 4_000, TimestampAssigner.NO_TIMESTAMP));
        assertThat(watermarks).containsExactly(999L);
    }

    @Test
    void onEvent_earlier_none() {
        read(-3_000, -3_000, -3_001, -2_501);

        assertThat(watermarks).containsExactly(-5_001L);
    }

    /** With watermarks up to the latest event, 499 of 600 were late. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100, 599})
    void onEvent_oneIsADayAhead_othersAreNotLate(int ahead) {
        for (int i = 0; i < 600; i++) {
            assertThat(watermarks).noneMatch(Range.atLeast(1_000L * i)::contains);
            read(i == ahead ? Duration.ofDays(1).toMillis() : 1_000L * i);
        }

        assertThat(watermarks).last().isEqualTo(595_999L); // the last event waits for one more
    }

    /** As after a night without events: a second one confirms the first. */
    @Test
    void onEvent_twoAreADayAhead_moves() {
        read(0, 0, 86_400_000, 86_400_001);

        assertThat(watermarks).containsExactly(-2_001L, 86_397_999L);
    }

    @Test
    void of_negative_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SlideWatermarks.of(Duration.ofMillis(-1), Duration.ofSeconds(1)))
                .withMessage("out-of-order: PT-0.001S (expected: at least PT0S)");
    }
}
