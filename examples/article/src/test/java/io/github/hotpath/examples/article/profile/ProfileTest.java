package io.github.hotpath.examples.article.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.examples.article.Stage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
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

class ProfileTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @TempDir
    private Path dir;

    @Test
    @Tag("slow")
    void run_tableAndGraphs_mkdirUnderOriginalAlone() throws Exception {
        Path base = Files.createDirectory(dir.resolve("base"));
        Path out = dir.resolve("x/out");
        Optional<AsyncProfiler> profiler =
                AsyncProfiler.on(System.getProperty("os.name"), System.getProperty("os.arch"));
        assumeTrue(profiler.isPresent());

        new Profile(profiler.get(), 200_000, out, new PrintStream(bytes, true, StandardCharsets.UTF_8)).run(base);

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

        assertThat(Profile.row(Stage.TRIMMED, stacks))
                .isEqualTo("trimmed       200     80.0%              20.0%   20.0%        5.0%          0.0%");
    }

    @ParameterizedTest
    @CsvSource({"Linux, amd64", "Linux, aarch64", "Mac OS X, x86_64", "Mac OS X, aarch64"})
    void on_platformWithLibrary_asyncProfiler(String osName, String osArch) {
        assertThat(AsyncProfiler.on(osName, osArch)).isPresent();
        assertThat(AsyncProfiler.on("Windows 11", osArch)).isEmpty();
    }

    @Test
    void stacks_jvmLeftNone_fails() {
        AsyncProfiler profiler = AsyncProfiler.on("Linux", "amd64").orElseThrow();

        assertThatIOException().isThrownBy(() -> profiler.stacks(dir));
    }
}
