package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.hotpath.window.EventWindow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
    @TempDir
    private Path dir;

    @Test
    void watchErrors_badTime_oneAlarmAndMoreWithoutHysteresis() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        WatchErrors.run(new PrintStream(out, true, UTF_8));

        assertThat(out.toString(UTF_8).lines().filter(line -> line.startsWith("changes: ")))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("changes: 2"),
                        line -> assertThat(line).matches("changes: ([3-9]|\\d\\d+)"));
    }

    /** Each run is another JVM, and its clock has another origin. */
    @Test
    void countRuns_again_countsThoseOfTheLastHour() throws IOException {
        Path file = dir.resolve("sub/runs");
        FakeClock clock = new FakeClock();
        for (int run = 1; run <= 3; run++) {
            long origin = run * 1_000_000_007L;
            assertThat(CountRuns.countRun(file, () -> clock.getAsLong() - origin, clock))
                    .isEqualTo(run);
            clock.advance(Duration.ofMinutes(25));
        }

        assertThat(CountRuns.countRun(file, clock, clock)).isEqualTo(3); // the first was 75 minutes ago
    }

    @Test
    void countRuns_fileOfAnotherKind_isMovedAside() throws IOException {
        Path file = Files.writeString(dir.resolve("runs"), "a text that somebody wrote, and named by mistake");

        assertThat(CountRuns.countRun(file, () -> 0, () -> Instant.EPOCH)).isEqualTo(1);

        assertThat(dir.resolve("runs.damaged")).hasContent("a text that somebody wrote, and named by mistake");
    }

    /** Its history would be lost if it were overwritten. */
    @Test
    void countRuns_fileOfShorterWindow_failsAndTheFileStays() throws IOException {
        Path file = dir.resolve("runs");
        new WindowFile(file, () -> 0, () -> Instant.EPOCH).write(EventWindow.of(Duration.ofMinutes(1)));
        byte[] written = Files.readAllBytes(file);

        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> CountRuns.countRun(file, () -> 0, () -> Instant.EPOCH));

        assertThat(file).hasBinaryContent(written);
    }

    /** Killed, it has no time to write anything: what counts is the file of the last second. */
    @Test
    @Tag("slow")
    @Timeout(600)
    void keepLimits_killed_refusesWhoWasRefused() throws IOException, InterruptedException {
        Path file = dir.resolve("limits");
        try (Server first = new Server(file)) {
            assertThat(first.admitted(12)).isEqualTo(10);
            first.awaitNextWrites(file, 2);
        }
        try (Server second = new Server(file)) {
            assertThat(second.admitted(12)).isZero();
        }
    }

    @Test
    void keepLimits_fileOfAnotherKind_endsAndTheFileStays() throws IOException {
        Path file = Files.writeString(dir.resolve("limits"), "a text that somebody wrote, and named by mistake");

        assertThatExceptionOfType(RestartFile.DamagedException.class)
                .isThrownBy(() -> KeepLimits.main(new String[] {file.toString()}));

        assertThat(file).hasContent("a text that somebody wrote, and named by mistake");
    }

    @Test
    void keepLimits_writingFails_isNotThrown() throws IOException {
        LimiterFile file = new LimiterFile(
                new DurableFile(dir.resolve("limits")),
                () -> {
                    throw new IllegalStateException("no clock");
                },
                () -> Instant.EPOCH);
        LimiterFile.Limiters limiters = KeepLimits.read(file);

        assertThatNoException().isThrownBy(() -> KeepLimits.write(file, limiters));
    }

    /** A program of its own, until it is killed. */
    private static final class Server implements AutoCloseable {
        private final Process process;

        Server(Path file) throws IOException {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            String classPath = System.getProperty("java.class.path");
            process = new ProcessBuilder(java, "-cp", classPath, KeepLimits.class.getName(), file.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        }

        /** To be called once, since the program prints its address once. */
        int admitted(int requests) throws IOException, InterruptedException {
            String line = process.inputReader(UTF_8).readLine();
            assertThat(line).startsWith("curl -i ");
            URI uri = URI.create(line.substring("curl -i ".length()));
            HttpClient http = HttpClient.newHttpClient();
            int admitted = 0;
            for (int i = 0; i < requests; i++) {
                HttpRequest request = HttpRequest.newBuilder(uri).build();
                admitted += http.send(request, BodyHandlers.discarding()).statusCode() == 204 ? 1 : 0;
            }
            return admitted;
        }

        /** Returns when the file has been replaced so often: the last writing began after this was called. */
        void awaitNextWrites(Path file, int writes) throws IOException, InterruptedException {
            for (int i = 0; i < writes; i++) {
                Object before = version(file);
                while (version(file).equals(before)) {
                    assertThat(process.waitFor(1, TimeUnit.MILLISECONDS)).isFalse(); // it has not ended
                }
            }
        }

        private static Object version(Path file) throws IOException {
            try {
                return Files.readAttributes(file, "lastModifiedTime,fileKey");
            } catch (NoSuchFileException e) {
                return Map.of(); // it has not been written yet
            }
        }

        /** Kills it, as {@code kill -9} does. */
        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
