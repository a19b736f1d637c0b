package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpansTest {
    @ParameterizedTest
    @CsvSource({
        "1ms,PT0.001S,1ms",
        "10s,PT10S,10s",
        "60s,PT1M,1m",
        "m,PT1M,1m",
        "90m,PT90M,90m",
        "24h,P1D,1d",
        "366d,P366D,366d"
    })
    void parse_span_isShownInTheLargestUnit(String text, Duration span, String shown) {
        assertThat(Spans.parse(text)).isEqualTo(span);
        assertThat(Spans.text(span)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "0s",
                "-1s",
                "1.5s",
                "1 s",
                "1w",
                "1S",
                "367d",
                "999999999999999999d",
                "9999999999999999999s"
            })
    void parse_other_isRejected(String text) {
        assertThatThrownBy(() -> Spans.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is no time span from 1ms to 366d");
    }
}
