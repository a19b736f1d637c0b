package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchmarksTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--to",
                "--short --to",
                "--short RecordBenchmark",
                "--short --short",
                "--add --add",
                "--to x y",
                "--part",
                "--part none",
                "--part limiter --to",
                "--to --part limiter"
            })
    void run_wrongArgument_oneLineAndStatus2(String args) throws IOException {
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int status = Benchmarks.run(System.out, new PrintStream(err, true, StandardCharsets.UTF_8), args.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(err)
                .hasToString(String.format(
                        "Benchmarks: %s: not understood; usage: Benchmarks [--short] [--part NAME] [--add] [--to DIR],"
                                + " or JMH's own arguments%n",
                        args));
    }
}
