package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FootprintTest {
    @Test
    void print_oneLineForEachWindow() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Footprint.print(new PrintStream(bytes, true, StandardCharsets.UTF_8), 100_000);

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .hasSize(11)
                .anyMatch(line -> line.matches("new +1\\d\\d"))
                .anyMatch(line -> line.matches("100,000 events +8\\d\\d,\\d{3}"))
                .anyMatch(line -> line.matches(" +per event +8[.]\\d{3}"));
    }
}
