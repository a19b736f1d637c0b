package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChartsTest {
    private static final Pattern WHISKER =
            Pattern.compile("<line x1='([\\d.]+)' y1='[\\d.]+' x2='([\\d.]+)'[^>]*stroke-width:1.5");
    private static final Pattern GRID = Pattern.compile("<line x1='([\\d.]+)'[^>]*stroke:rgb\\(222,222,222\\)");

    @TempDir
    Path dir;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void writeResults() throws IOException {
        Files.createDirectory(dir.resolve("raw"));
        write(
                "concurrent",
                result("ConcurrentBenchmark.record", 1, "counter", "CLOCK", "0", 21.5, 22.5, 90),
                result("ConcurrentBenchmark.record", 2, "counter", "JETTY", "0", 1234),
                result("ConcurrentBenchmark.recordAndCount", 2, "counter", "SENTINEL", "0", 33));
        write("limiter", limiter("SLIDING_WINDOW_LIMITER", "10000", 23), limiter("GUAVA", "10000000", 57));
        write(
                "growth",
                result("GrowthBenchmark.record", 1, "window", "EVENT_WINDOW", "100", 3),
                result("GrowthBenchmark.record", 1, "window", "EVENT_WINDOW", "10000", 30),
                result("GrowthBenchmark.count", 1, "window", "TRIMMED_DEQUE", "100", 2));
        write("growth-expiry", result("ExpiryBenchmark.record", 1, "window", "DROPWIZARD_TREE", "100", 7));
        write("memory", result("MemoryBenchmark.filled", 1, "window", "SMALLRYE", "1000", 1));
    }

    @Test
    void run_drawsEachChart_withNamesAndMedians() throws IOException {
        assertThat(run(dir.toString())).isZero();

        assertThat(pictures())
                .containsExactlyInAnyOrder(
                        "burst.svg",
                        "concurrent-record-jdk21.svg",
                        "concurrent-recordAndCount-jdk21.svg",
                        "limiter-refused-jdk21.svg",
                        "limiter-granted-jdk21.svg",
                        "growth-record-jdk21.svg",
                        "growth-count-jdk21.svg",
                        "growth-expiry-jdk21.svg",
                        "memory-jdk21.svg");
        assertThat(dir.resolve("concurrent-record-jdk21.svg"))
                .content()
                .contains(
                        ">one thread<",
                        ">two threads<",
                        ">System.nanoTime() alone<",
                        ">23<",
                        ">Jetty<",
                        ">1,200<",
                        "<title>A record in a counter that all threads share, JDK 21</title><desc>",
                        "viewBox='0 0 860",
                        ">nanoseconds per call, on each thread, logarithmic; lower is better; whiskers: least to most<",
                        ">100<", // a label of the axis
                        "JDK 21")
                .doesNotContain("Sentinel", "NaN", "Infinity");
        assertThat(dir.resolve("limiter-refused-jdk21.svg"))
                .content()
                .contains(">SlidingWindowLimiter<", ">23<")
                .doesNotContain("Guava");
        assertThat(dir.resolve("growth-record-jdk21.svg"))
                .content()
                .contains(">EventWindow<", ">events in the window, logarithmic<", ">10 k<", "JDK 21")
                .doesNotContain("NaN", "Infinity");
        assertThat(dir.resolve("memory-jdk21.svg")).content().contains(">SmallRye<", ">8.0<");
    }

    @Test
    void run_crowd_drawsEachRange_withNamesAndTheWorst() throws IOException {
        write("crowd", crowd("toArray", 2, "REENTRANT_LOCK"), crowd("toArray", 10000, "CONCURRENT_EVENT_WINDOW"));

        assertThat(run(dir.toString())).isZero();

        assertThat(dir.resolve("crowd-toArray-jdk21.svg"))
                .content()
                .contains(
                        ">2 threads<",
                        ">10,000 virtual threads<",
                        ">ConcurrentEventWindow<",
                        ">EventWindow, ReentrantLock<",
                        ">1.5 s<",
                        ">100 ns<",
                        "JDK 21")
                .doesNotContain("NaN", "Infinity");
        assertThat(dir.resolve("crowd-toArray-long-jdk21.svg")).content().contains(">2 threads<", ">7.0 ms<");
    }

    @Test
    void run_approximations_drawsMemoryAndErrorWhereThereIsOne() throws IOException {
        write(
                "approximation",
                approximation("BOUNDED_EVENT_WINDOW", "STEADY", 100, 0),
                approximation("BOUNDED_EVENT_WINDOW", "STEADY", 10000, 0.009),
                approximation("TWO_COUNTERS", "BURSTS", 100, 0.5),
                approximation("TEN_BUCKETS", "STEADY", 100, 0));

        assertThat(run(dir.toString())).isZero();

        assertThat(dir.resolve("approximation-memory-jdk21.svg"))
                .content()
                .contains(">BoundedEventWindow, 1%<", ">ten buckets<", ">events in the window, logarithmic<", "JDK 21")
                .doesNotContain("two counters", "NaN", "Infinity");
        assertThat(dir.resolve("approximation-error-jdk21.svg"))
                .content()
                .contains(">BoundedEventWindow, 1%, steady<", ">two counters, interpolated, bursts<", "JDK 21")
                .doesNotContain("ten buckets", "NaN", "Infinity");
    }

    private static String approximation(String counter, String course, long events, double error) {
        return """
                {"benchmark": "org.example.ApproximationBenchmark.answer", "threads": 1,
                 "params": {"counter": "%s", "course": "%s", "events": "%d"},
                 "primaryMetric": {"rawData": [[1.0]]},
                 "secondaryMetrics": {"bytes": {"rawData": [[8000.0]]}, "error": {"rawData": [[%s]]}}}
                """.formatted(counter, course, events, error);
    }

    /** In the form of the raw results of streams. */
    @Test
    void run_stream_drawsEachWay() throws IOException {
        Files.writeString(dir.resolve("raw/stream-jdk21.json"), """
                [
                  {"benchmark": "MeasureStream.count", "mode": "thrpt", "threads": 2,
                    "params": {"way": "EventWindow", "seconds": "60", "keys": "1000"},
                    "primaryMetric": {"scoreUnit": "events/s", "rawData": [[1200, 1234, 1300]]},
                    "secondaryMetrics": {}}
                ]
                """);

        assertThat(run(dir.toString())).isZero();

        assertThat(dir.resolve("stream-jdk21.svg"))
                .content()
                .contains(
                        ">EventWindow<",
                        ">60 s, 1,000 keys<",
                        ">1,200<",
                        ">events per second; higher is better<",
                        "JDK 21")
                .doesNotContain("NaN", "Infinity");
    }

    /** The axis of the dots is drawn from one power of ten to beyond the last whisker. */
    @Test
    void run_dots_whiskersFromLeastToMost() throws IOException {
        run(dir.toString());

        String svg = Files.readString(dir.resolve("concurrent-record-jdk21.svg"));
        List<double[]> lines = WHISKER.matcher(svg)
                .results()
                .map(line -> new double[] {Double.parseDouble(line.group(1)), Double.parseDouble(line.group(2))})
                .filter(line -> line[1] - line[0] > 0.2)
                .toList();

        assertThat(lines).hasSize(1); // of 21.5, 22.5 and 90; the others were measured once
        double decade = decade(svg);
        assertThat((lines.get(0)[1] - lines.get(0)[0]) / decade).isCloseTo(Math.log10(90 / 21.5), within(0.01));
    }

    /** Returns how wide a power of ten is drawn: the distance of the grid lines. */
    private static double decade(String svg) {
        double[] grid = GRID.matcher(svg)
                .results()
                .mapToDouble(line -> Double.parseDouble(line.group(1)))
                .sorted()
                .distinct()
                .toArray();
        return grid[1] - grid[0];
    }

    @ParameterizedTest
    @CsvSource({"9.94, 9.9 ns", "9.96, 10 ns", "3, 3 ns", "999, 999 ns", "1234, 1.2 µs", "25e6, 25 ms", "12.3e9, 12 s"})
    void duration_twoDigits(double nanos, String words) {
        assertThat(RangeChart.duration(nanos)).isEqualTo(words);
    }

    @Test
    void run_again_writesTheSame() throws IOException {
        run(dir.toString());
        String first = Files.readString(dir.resolve("growth-record-jdk21.svg"));

        run(dir.toString());

        assertThat(dir.resolve("growth-record-jdk21.svg")).hasContent(first);
    }

    @Test
    void run_noDirectory_oneLineAndStatus2() throws IOException {
        assertThat(run("missing")).isEqualTo(2);
        assertThat(err)
                .hasToString(
                        String.format("Charts: missing: not one directory with results in raw; usage: Charts DIR%n"));
    }

    private int run(String... args) throws IOException {
        return Charts.run(new PrintStream(err, true, StandardCharsets.UTF_8), args);
    }

    private List<String> pictures() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".svg"))
                    .toList();
        }
    }

    private void write(String name, String... results) throws IOException {
        Files.writeString(
                dir.resolve("raw/" + name + "-jdk21.json"),
                Stream.of(results).collect(Collectors.joining(",", "[", "]")));
    }

    private static String crowd(String traffic, int threads, String window) {
        return """
                {"benchmark": "org.example.%s", "threads": %d, "params": {"window": "%s"},
                 "primaryMetric": {"rawData": []},
                 "secondaryMetrics": {
                   "p50": {"rawData": [[250.0]]}, "p99.9": {"rawData": [[1e6]]}, "worst": {"rawData": [[1e9], [1.5e9]]},
                   "long.p50": {"rawData": [[2e6]]}, "long.worst": {"rawData": [[7.04e6]]}}}
                """.formatted(traffic, threads, window);
    }

    private static String limiter(String limiter, String limit, double value) {
        return result("LimiterBenchmark.tryAcquire", 1, "permits\": \"1\", \"limiter", limiter, "0", value)
                .replace("events\": \"0", "limit\": \"" + limit);
    }

    /** As JMH writes it, as far as it is read. Each value is a fork of its own; 8000 bytes were kept. */
    private static String result(
            String benchmark, int threads, String param, String rival, String events, double... values) {
        String forks =
                Arrays.stream(values).mapToObj(value -> "[" + value + "]").collect(Collectors.joining(",", "[", "]"));
        return """
                {"benchmark": "org.example.%s", "threads": %d, "params": {"%s": "%s", "events": "%s"},
                 "primaryMetric": {"rawData": %s},
                 "secondaryMetrics": {"bytes": {"rawData": [[8000.0]]}}}
                """.formatted(benchmark, threads, param, rival, events, forks);
    }
}
