package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfilerTest {
    /** Thirty seconds in all. */
    private static final int[] SECONDS = {1, 2, 4, 8, 15};

    private final List<String> remarks = new ArrayList<>();

    @TempDir
    private Path dir;

    @ParameterizedTest
    @CsvSource({"Linux, amd64", "Linux, aarch64", "Mac OS X, x86_64", "Mac OS X, aarch64"})
    void choose_platformWithLibrary_asyncProfiler(String osName, String osArch) throws IOException {
        assertThat(Profiler.choose(false, osName, osArch, remarks::add)).hasToString("async-profiler");
        assertThat(remarks).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"Linux, riscv64", "Windows 11, amd64"})
    void choose_platformWithoutLibrary_flightRecorderAndLine(String osName, String osArch) throws IOException {
        assumeFlightRecorder();

        assertThat(Profiler.choose(false, osName, osArch, remarks::add)).hasToString("Flight Recorder");
        assertThat(remarks)
                .containsExactly("No async-profiler: it has no library for " + osName + " on " + osArch + ".");
    }

    @Test
    void choose_jfrOnPlatformWithLibrary_flightRecorder() throws IOException {
        assumeFlightRecorder();

        assertThat(Profiler.choose(true, "Linux", "amd64", remarks::add)).hasToString("Flight Recorder");
        assertThat(remarks).isEmpty();
    }

    @Test
    void remarks_asyncProfilerWithoutKernelFrames_line() {
        Profiler profiler = AsyncProfiler.on("Linux", "amd64").orElseThrow();
        StageProfile original = Recorded.profiles().get(Stage.ORIGINAL);
        StageProfile hotpath = Recorded.profiles().get(Stage.HOTPATH);

        assertThat(profiler.remarks(List.of(hotpath.stacks(), original.stacks())))
                .isEmpty();
        assertThat(profiler.remarks(List.of(hotpath.stacks())))
                .singleElement()
                .asString()
                .startsWith("No kernel frames: ");
    }

    /** With either alone, the shares would be those of Java code, or of native code, alone. */
    @Test
    void options_flightRecorder_bothSamplesAtOnePeriod() {
        assertThat(String.join(" ", new FlightRecorder().options(dir)))
                .contains(
                        "+jdk.ExecutionSample#enabled=true",
                        "+jdk.ExecutionSample#period=10ms",
                        "+jdk.NativeMethodSample#enabled=true",
                        "+jdk.NativeMethodSample#period=10ms");
    }

    /** That kernel symbols are hidden is a warning of the agent, and a line of its own in remarks. */
    @Test
    void options_asyncProfiler_onlyErrorsArePrinted() throws IOException {
        AsyncProfiler profiler = AsyncProfiler.on("Linux", "amd64").orElseThrow();

        assertThat(profiler.options(dir)).singleElement().asString().contains(",loglevel=error,");
    }

    @Test
    void stacks_jvmLeftNone_fails() {
        Profiler profiler = AsyncProfiler.on("Linux", "amd64").orElseThrow();

        assertThatIOException().isThrownBy(() -> profiler.stacks(dir));
        assertThatIOException().isThrownBy(() -> new FlightRecorder().stacks(dir));
    }

    @Test
    @Tag("slow")
    void sample_asyncProfiler_mkdirUnderOriginalAlone() throws IOException, InterruptedException {
        String osName = System.getProperty("os.name");
        String osArch = System.getProperty("os.arch");
        Optional<AsyncProfiler> profiler = AsyncProfiler.on(osName, osArch);
        assumeTrue(profiler.isPresent(), () -> "async-profiler has no library for " + osName + " on " + osArch);

        assertMkdirUnderOriginalAlone(profiler.get());
    }

    @Test
    @Tag("slow")
    void sample_flightRecorder_mkdirUnderOriginalAlone() throws IOException, InterruptedException {
        assumeFlightRecorder();

        assertMkdirUnderOriginalAlone(new FlightRecorder());
    }

    private void assertMkdirUnderOriginalAlone(Profiler profiler) throws IOException, InterruptedException {
        Dirs.ensure(dir.resolve("a/b"));
        int i = 0;
        while (mkdirs(profiler, Stage.ORIGINAL, SECONDS[i]) == 0) {
            i++;
            assertThat(i).as("attempts without a sample of mkdir0").isLessThan(SECONDS.length);
        }

        assertThat(mkdirs(profiler, Stage.HOTPATH, SECONDS[i])).isZero();
    }

    private long mkdirs(Profiler profiler, Stage stage, int seconds) throws IOException, InterruptedException {
        CollapsedStacks stacks = new StageSampler(profiler, dir, seconds, System.err).sample(stage);
        return Part.MKDIR.of(stacks).total();
    }

    private static void assumeFlightRecorder() {
        assumeTrue(FlightRecorder.isAvailable(), "this JVM has no Flight Recorder");
    }
}
