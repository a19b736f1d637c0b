package io.github.hotpath.examples.article.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.examples.article.Stage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ProfileTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"", "--jfr"})
    @Tag("slow")
    void call_tableAndGraphs_mkdirUnderOriginalAlone(String jfr) throws IOException {
        Path base = Files.createDirectory(dir.resolve("base"));
        Path out = dir.resolve("x/out");

        int status = new CommandLine(profile(base))
                .execute(("--seconds 3 --out " + out + " " + jfr).trim().split(" "));

        assertThat(status).isZero();
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .anyMatch(line -> line.matches("original +\\d+ .*  2\\.00 exceptions, .*"))
                .anyMatch(line -> line.matches("trimmed +\\d+ +0\\.0% +[1-9]\\d*\\.\\d% .*  2\\.00 exceptions, .*"))
                .anyMatch(line -> line.matches("checked +\\d+ +0\\.0% +0\\.0% +0\\.0% .*  0\\.00 exceptions, .*"))
                .anyMatch(line -> line.matches("hotpath +\\d+ +0\\.0% +0\\.0% +0\\.0% .*  0\\.00 exceptions, .*"));
        assertThat(out.toFile().list())
                .hasSize(4 * 2 + 3 * 2)
                .contains("hotpath.html", "hotpath.collapsed", "original-to-trimmed-gone.html");
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void row_sharesOfTheLoopsSamples() throws IOException {
        CollapsedStacks stacks = CollapsedStacks.parse(List.of(
                "Compile::Compile 77",
                PartTest.LOOP + "java/util/ArrayDeque.removeIf_[i] 160",
                PartTest.MKDIR + ";jni_Throw;Exceptions::_throw 10",
                PartTest.MKDIR + " 30"));

        assertThat(Profile.row(AsyncProfiler.on("Linux", "amd64").orElseThrow(), Stage.TRIMMED, stacks))
                .isEqualTo("trimmed       200     80.0%              20.0%   20.0%        5.0%          0.0%");
        assertThat(Profile.row(new FlightRecorder(), Stage.TRIMMED, stacks))
                .isEqualTo("trimmed       200     80.0%              20.0%   20.0%           -             -");
    }

    @ParameterizedTest
    @CsvSource({"Linux, amd64", "Linux, aarch64", "Mac OS X, x86_64", "Mac OS X, aarch64"})
    void on_platformWithLibrary_asyncProfiler(String osName, String osArch) {
        assertThat(AsyncProfiler.on(osName, osArch)).isPresent();
        assertThat(AsyncProfiler.on("Windows 11", osArch)).isEmpty();
    }

    @Test
    void stacks_jvmLeftNone_fails() {
        Optional<AsyncProfiler> profiler = AsyncProfiler.on("Linux", "amd64");
        assumeTrue(profiler.isPresent());

        assertThatIOException().isThrownBy(() -> profiler.get().stacks(dir));
        assertThatIOException().isThrownBy(() -> new FlightRecorder().stacks(dir));
    }

    @Test
    void call_secondsZero_rejectedBeforeAnythingIsCreated() {
        StringWriter errors = new StringWriter();
        Path out = dir.resolve("out");

        int status = new CommandLine(profile(dir))
                .setErr(new PrintWriter(errors))
                .execute("--seconds", "0", "--out", out.toString());

        assertThat(status).isEqualTo(2);
        assertThat(errors.toString()).startsWith("--seconds: 0 (expected: at least 1)");
        assertThat(out).doesNotExist();
    }

    private Profile profile(Path base) {
        return new Profile(base, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }
}
