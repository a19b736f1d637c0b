package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

class JobArgumentsTest {
    @TempDir
    private Path dir;

    private static JobArguments of(String arguments) {
        return JobArguments.of(true, arguments.isEmpty() ? new String[0] : arguments.split(" "));
    }

    @Test
    void of_none_areTheDefaults() throws Exception {
        JobArguments arguments = of("");

        assertThat(arguments.size).isEqualTo(Duration.ofMinutes(1));
        assertThat(arguments.slide).isEqualTo(Duration.ofSeconds(1));
        assertThat(arguments.outOfOrder).isEqualTo(Duration.ofSeconds(2));
        assertThat(arguments.way).isEqualTo(Way.HOTPATH);
        assertThat(arguments.hotKeys).isEmpty();
        assertThat(arguments.strict).isFalse();
        assertThat(arguments.input(4).name()).isEqualTo("numbers");
    }

    @Test
    void of_all_areRead() throws Exception {
        JobArguments arguments = of("--source " + dir + " --output=" + dir + " --late " + dir
                + " --size PT2M --slide PT0.5S --out-of-order PT0S --way hotpath --hot-keys 7,-8 --strict");

        assertThat(arguments.size).isEqualTo(Duration.ofMinutes(2));
        assertThat(arguments.slide).isEqualTo(Duration.ofMillis(500));
        assertThat(arguments.outOfOrder).isZero();
        assertThat(arguments.hotKeys).containsExactlyInAnyOrder(7L, -8L);
        assertThat(arguments.strict).isTrue();
        assertThat(arguments.input(4)).extracting(Input::name, Input::readers).containsExactly("files", 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "--souce X; Unknown options: '--souce', 'X'",
                "--size; Missing required parameter for option '--size' (DURATION)",
                "--size 60; '60' (expected: a positive number of whole milliseconds",
                "--size PT0S; 'PT0S' (expected: a positive number of whole milliseconds",
                "--slide PT-1S; 'PT-1S' (expected: a positive number of whole milliseconds",
                "--slide PT0.0001S; 'PT0.0001S' (expected: a positive number of whole milliseconds",
                "--size P40000D; 'P40000D' (expected: a positive number of whole milliseconds, up to PT876000H",
                "--out-of-order PT-1S; 'PT-1S' (expected: zero or more whole milliseconds",
                "--way flik; '--way': 'flik' (expected: hotpath or flink)",
                "--rate 0; '--rate': '0' (expected: a whole number from 1 to 2147483647)",
                "--events -1; '-1' (expected: a whole number from 1 to 2147483647)",
                "--keys many; 'many' (expected: a whole number from 1 to 2147483647)",
                "--hot-keys 1,a; 'a' is not a long",
                "--hot-keys 1 --way flink; --hot-keys: not with --way flink",
                "--source /no/such/directory; --source /no/such/directory: no directory",
                "--source /dev/null; --source /dev/null: no directory",
                "--output /no/such/directory; --output /no/such/directory: no directory",
                "--source nowhere://x; --source nowhere://x: Could not find a file system implementation",
                "--kafka localhost:1; Missing required argument(s): --topic=TOPIC",
                "--topic x; Missing required argument(s): --kafka=SERVERS",
                "--source / --rate 5; mutually exclusive",
                "--source / --kafka a:1 --topic x; mutually exclusive",
                "--kafka a:1 --topic x --results y --output /; --output: not with --results",
            })
    void of_wrong_isRejectedWithAReason(String arguments, String reason) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> of(arguments))
                .withMessageContaining(reason);
    }

    @Test
    void of_filesWithoutCheckpoints_areRejected() {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> JobArguments.of(false, "--output", dir.toString()))
                .withMessage("--output: needs checkpoints, such as -D execution.checkpointing.interval=10s");
    }

    @Test
    void path_ofRelativeDirectory_isAbsolute() throws Exception {
        Path relative = Path.of("").toAbsolutePath().relativize(Files.createDirectory(dir.resolve("a")));

        assertThat(of("").path(relative.toString()).getPath()).startsWith("/");
    }
}
