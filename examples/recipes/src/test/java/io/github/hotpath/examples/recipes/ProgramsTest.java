package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StreamCorruptedException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
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
    void lineCosts_eachWay_toldAndNothingIsLeft() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        LineCosts.run(dir, 10, new PrintStream(out, true, UTF_8));

        assertThat(out.toString(UTF_8).lines())
                .hasSize(7)
                .allMatch(line -> line.matches("(opens the|writes to an open) file.* \\d+\\.\\d\\d \\(.*\\)"));
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void logProcessor_noArguments_rejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogProcessor.main(new String[] {"app.log"}))
                .withMessage("arguments: app.log (expected: LOG DIRECTORY)");
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

        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> KeepLimits.main(new String[] {file.toString()}));

        assertThat(file).hasContent("a text that somebody wrote, and named by mistake");
    }

    @Test
    void keepLimits_writingFails_isNotThrown() throws IOException {
        RestartFile file = new RestartFile(
                dir.resolve("limits"),
                () -> {
                    throw new IllegalStateException("no clock");
                },
                () -> Instant.EPOCH);
        KeepLimits.Limiters limiters = KeepLimits.read(file);

        assertThatNoException().isThrownBy(() -> KeepLimits.write(file, limiters));
    }

    /** By a millisecond or an hour: it begins with what was written, and no client has more than its limit. */
    @Test
    void keepLimits_fileOfTheFuture_refusesWhoWasRefused() throws IOException {
        Path path = dir.resolve("limits");
        Instant written = Instant.parse("2026-11-24T12:00:00Z");
        RestartFile before = new RestartFile(path, () -> 5, () -> written);
        KeepLimits.Limiters limiters = KeepLimits.read(before);
        assertThat(limiters.each().forKey("192.0.2.1").tryAcquire(5, 10)).isTrue();
        KeepLimits.write(before, limiters);

        KeepLimits.Limiters read = KeepLimits.read(new RestartFile(path, () -> 7, () -> written.minusSeconds(3600)));

        long hour = Duration.ofHours(1).toNanos();
        assertThat(read.each().forKey("192.0.2.1").tryAcquireOrDelay(7, 1)).isEqualTo(hour + 1);
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
