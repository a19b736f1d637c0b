package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ReportTest {
    @Test
    void rounded_nanos_haveAUnitOfTheirSize() {
        assertThat(DoubleStream.of(1, 5e6, 1e9, 99.94e9, 100e9, 3600e9, 86400e9, 40 * 86400e9)
                        .mapToObj(Report::rounded))
                .containsExactly("< 1 ms", "5 ms", "1.0 s", "99.9 s", "1.7 min", "60.0 min", "24.0 h", "960.0 h");
    }
}
