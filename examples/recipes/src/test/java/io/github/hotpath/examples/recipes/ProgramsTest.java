package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Named.named;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.window.EventWindow;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProgramsTest {
    @TempDir
    private static Path dir;

    private static final Run.Main SURVIVE_RESTART = (out, err, args) -> SurviveRestart.run(dir, out, err, args);
    private static final Run.Main KEEP_LIMITS = (out, err, args) -> KeepLimits.run(dir, out, err, args);

    @ParameterizedTest
    @MethodSource
    void run_wrongArgument_isOneLineAndStatus2(Run.Main main, String argument, String line)
            throws InterruptedException {
        Run run = Run.of(main, argument);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).containsExactly(line);
        assertThat(run.out()).isEmpty();
    }

    static Stream<Arguments> run_wrongArgument_isOneLineAndStatus2() {
        return Stream.of(
                Arguments.of(
                        named("LimitClients", (Run.Main) LimitClients::run),
                        "65536",
                        "LimitClients: '65536': not a whole number from 0 to 65535; usage: LimitClients [PORT]"),
                Arguments.of(
                        named("CallModel", (Run.Main) CallModel::run),
                        "0",
                        "CallModel: '0': not a whole number from 1 to 10000; usage: CallModel [MINUTES]"),
                Arguments.of(
                        named("FilterLog", (Run.Main) FilterLog::run),
                        "0",
                        "FilterLog: '0': not a whole number from 1 to 1000; usage: FilterLog [LINES]"),
                Arguments.of(
                        named("ShowGauges", (Run.Main) ShowGauges::run),
                        "many",
                        "ShowGauges: 'many': not a whole number from 1 to 10000; usage: ShowGauges [PER_SECOND]"),
                Arguments.of(
                        named("SurviveRestart", SURVIVE_RESTART),
                        "a\0b",
                        "SurviveRestart: 'a?b': no path: " + whyNoPath("a\0b") + "; usage: SurviveRestart [FILE]"),
                Arguments.of(
                        named("KeepLimits", KEEP_LIMITS),
                        "a\0b",
                        "KeepLimits: 'a?b': no path: " + whyNoPath("a\0b") + "; usage: KeepLimits [FILE]"));
    }

    /** Returns the JDK's message, which differs between systems. */
    private static String whyNoPath(String word) {
        InvalidPathException wrong = catchThrowableOfType(InvalidPathException.class, () -> Path.of(word));
        return wrong.getReason().replace('\0', '?');
    }

    @Test
    void run_twoArguments_wrong() throws InterruptedException {
        assertThat(Run.of(FilterLog::run, "1", "2").err())
                .containsExactly("FilterLog: '2': one argument too many; usage: FilterLog [LINES]");
    }

    /** Half a minute has three intervals, so each address is served at most three times ten requests. */
    @Test
    void limitClients_alone_showsWhoWasServedAndRefused() throws InterruptedException {
        Run run = Run.of(LimitClients::run);

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("each address sends"),
                        line -> assertThat(line).matches("a request every two seconds +100 +1500 +1500 +0"),
                        line -> assertThat(line).matches("ten a second, but waits as told +5 +165 +150 +15"),
                        line -> assertThat(line).matches("ten a second, greedy +5 +1500 +150 +1350"),
                        line -> assertThat(line).matches("a single request +3000 +3000 +3000 +0"),
                        line -> assertThat(line).matches("addresses with an entry at the end: 1\\d\\d\\d of 3110"));
    }

    @Test
    @Timeout(60) // for if the program prints nothing, the pipe never ends
    void limitClients_anyPort_servesUntilStopped() throws Exception {
        PipedInputStream printed = new PipedInputStream();
        PrintStream out = new PrintStream(new PipedOutputStream(printed), true, UTF_8);
        FutureTask<Integer> program = new FutureTask<>(() -> LimitClients.run(out, System.err, "0"));
        Thread thread = new Thread(program);
        thread.start();
        String line = new BufferedReader(new InputStreamReader(printed, UTF_8)).readLine();

        HttpRequest request = HttpRequest.newBuilder(URI.create(line.replace("try: curl -i ", "")))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .body())
                .isEqualTo("welcome\n");

        thread.interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(program::get)
                .withCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void limitClients_portInUse_isOneLineAndStatus1() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Run run = Run.of(LimitClients::run, String.valueOf(taken.getLocalPort()));

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err()).hasSize(1);
        }
    }

    @Test
    void watchErrors_badTime_oneAlarmAndMoreWithoutHysteresis() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        WatchErrors.run(new PrintStream(out, true, UTF_8));

        assertThat(out.toString(UTF_8).lines().filter(line -> line.startsWith("changes: ")))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("changes: 2"),
                        line -> assertThat(line).matches("changes: ([3-9]|\\d\\d+)"));
    }

    @Test
    void filterLog_everyLineShownOrTold() throws InterruptedException {
        Run run = Run.of(FilterLog::run, "3");

        assertThat(run.status()).isZero();
        long shown =
                run.out().stream().filter(line -> line.startsWith("no answer")).count();
        long told = run.out().stream()
                .filter(line -> line.endsWith(" held back of: no answer from {0}"))
                .mapToLong(line -> Long.parseLong(line.split(" ")[0]))
                .sum();
        assertThat(shown).isEqualTo(4 * 3);
        assertThat(shown + told).isEqualTo(1000);
    }

    @Test
    void showGauges_showsEachSpan() throws InterruptedException {
        Run run = Run.of(ShowGauges::run, "10");

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith(
                        "after 30 s",
                        "http.requests(GAUGE)[span='PT1S']; value=10.0 events",
                        "http.requests(GAUGE)[span='PT10S']; value=100.0 events",
                        "http.requests(GAUGE)[span='PT1M']; value=300.0 events")
                .endsWith("http.requests(GAUGE)[span='PT1M']; value=0.0 events");
    }

    @Test
    void surviveRestart_alone_countsOnAndBeginsAnewWhenAltered_andLeavesNothing() throws InterruptedException {
        Run run = Run.of(SURVIVE_RESTART);

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("the first run"),
                        line -> assertThat(line).isEqualTo("runs in the last 1 h: 1"),
                        line -> assertThat(line).isEqualTo("runs in the last 1 h: 2"),
                        line -> assertThat(line).isEqualTo("runs in the last 1 h: 3"),
                        line -> assertThat(line).isEqualTo("runs in the last 1 h: 3"), // the first was 75 minutes ago
                        line -> assertThat(line).startsWith("begun anew: ").contains("altered"),
                        line -> assertThat(line).isEqualTo("runs in the last 1 h: 1"));
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void surviveRestart_file_keepsTheRunThere() throws IOException, InterruptedException {
        Path file = dir.resolve("runs");

        Run run = Run.of(SURVIVE_RESTART, file.toString());

        assertThat(run.out()).containsExactly("the first run", "runs in the last 1 h: 1");
        assertThat(runsIn(file)).isEqualTo(1);
        Files.delete(file);
    }

    @Test
    void surviveRestart_fileOfShorterWindow_isOneLineAndStatus1AndFileStays(@TempDir Path own)
            throws IOException, InterruptedException {
        Path file = own.resolve("runs");
        new WindowFile(file, () -> 0, () -> Instant.EPOCH).write(EventWindow.of(Duration.ofMinutes(1)));
        byte[] written = Files.readAllBytes(file);

        Run run = Run.of(SURVIVE_RESTART, file.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).singleElement().asString().contains("has the events of PT1M, which is less than PT1H");
        assertThat(run.out()).isEmpty();
        assertThat(file).hasBinaryContent(written);
    }

    @Test
    void surviveRestart_fileOfAnotherKind_isMovedAside(@TempDir Path own) throws IOException, InterruptedException {
        Path file = Files.writeString(own.resolve("runs"), "a text that somebody wrote, and named by mistake");
        Path aside = own.resolve("runs.damaged");

        Run run = Run.of(SURVIVE_RESTART, file.toString());

        assertThat(run.out())
                .containsExactly(
                        "begun anew: " + file + ": altered, or another kind of file: the checksum is wrong",
                        "runs in the last 1 h: 1");
        assertThat(aside).hasContent("a text that somebody wrote, and named by mistake");
        assertThat(runsIn(file)).isEqualTo(1);
    }

    /** Killed, it has no time to write anything. */
    @Test
    @Tag("slow")
    void keepLimits_alone_servesNoMoreAfterAKill_andLeavesNothing() throws IOException, InterruptedException {
        Run run = Run.of(KEEP_LIMITS);

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsExactly(
                        "the first process: 10 of 12 requests were served",
                        "the second process: 0 of 12 requests were served");
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void keepLimits_fileOfAnotherKind_endsAndTheFileStays(@TempDir Path own) throws IOException, InterruptedException {
        Path file = Files.writeString(own.resolve("limits"), "a text that somebody wrote, and named by mistake");

        Run run = Run.of(KEEP_LIMITS, file.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).singleElement().asString().contains("altered, or another kind of file");
        assertThat(file).hasContent("a text that somebody wrote, and named by mistake");
    }

    /** At the end of its input it writes what it has. */
    @Test
    void keepLimits_endOfInput_isWritten(@TempDir Path own) throws IOException {
        Path file = own.resolve("limits");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, UTF_8);

        KeepLimits.serve(file, new ByteArrayInputStream("\n".getBytes(UTF_8)), print, print);

        assertThat(out.toString(UTF_8).lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("http://"),
                        line -> assertThat(line).isEqualTo("saved"));
        LimiterFile.Limiters read = new LimiterFile(new DurableFile(file), System::nanoTime, InstantSource.system())
                .read(Limit.of(1, Duration.ZERO));
        assertThat(read.each().size()).isZero();
    }

    private static int runsIn(Path file) throws IOException {
        EventWindow window = EventWindow.of(Duration.ofHours(1));
        new WindowFile(file, System::nanoTime, InstantSource.system()).readInto(window);
        return window.toArray().length;
    }
}
