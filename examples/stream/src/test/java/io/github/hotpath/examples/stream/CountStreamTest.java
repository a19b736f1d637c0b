package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CountStreamTest {
    @TempDir
    private Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) throws Exception {
        return CountStream.run(dir, stream(out), stream(err), args);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static List<String> lines(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void run_fewEvents_oursAreExactAndNothingIsLeft() throws Exception {
        assertThat(run("20000")).isZero();

        assertThat(lines(out)).first().asString().startsWith("20,000 events of 100 keys");
        assertThat(lines(out)).anyMatch(line -> line.matches("EventWindow: a checkpoint of [\\d,]+ bytes; .*"));
        assertThat(lines(out)).anyMatch(line -> line.matches("EventWindow +[\\d,]+ +0 +[\\d,]+ +\\d+\\.\\d"));
        assertThat(lines(out)).last().asString().startsWith("Flink's own window ");
        assertThat(lines(err)).isEmpty();
        assertThat(dir).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "9999", "-20000", "many"})
    void run_wrongNumber_isOneLineAndStatus2(String argument) throws Exception {
        assertThat(run(argument)).isEqualTo(2);

        assertThat(lines(out)).isEmpty();
        assertThat(lines(err))
                .containsExactly("CountStream: " + argument
                        + ": not one number of events from 10000 on; usage: CountStream [EVENTS]");
    }
}
