package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PicturesTest {
    @TempDir
    Path dir;

    @BeforeEach
    void writeResults() throws IOException {
        Files.createDirectory(dir.resolve("raw"));
        write(
                "concurrent",
                result("record", 1, "counter", "CLOCK", 21.5, 22.5, 90),
                result("record", 2, "counter", "JETTY", 1234),
                result("recordAndCount", 2, "counter", "SENTINEL", 33));
        write(
                "limiter",
                result("tryAcquire", 1, "limit\": \"10000\", \"limiter", "SLIDING_WINDOW_LIMITER", 23),
                result("tryAcquire", 1, "limit\": \"10000000\", \"limiter", "GUAVA", 57));
        write(
                "crowd",
                result("toArray", 200, "window", "REENTRANT_LOCK", 1),
                result("toArray", 200, "virtual\": \"true\", \"window", "CONCURRENT_EVENT_WINDOW", 1),
                result("refused", 20, "window", "SLIDING_WINDOW_LIMITER", 1));
    }

    @Test
    void write_results_areDrawnWithNamesAndMedians() throws IOException {
        Pictures.write(dir.resolve("raw"), dir);

        assertThat(dir.resolve("shared-counter.svg"))
                .content()
                .contains(
                        ">one thread<",
                        ">two threads<",
                        ">System.nanoTime() alone<",
                        ">23<",
                        ">Jetty<",
                        ">1,200<",
                        "<title>A record in a counter that threads share, JDK 21</title><desc>",
                        "viewBox='0 0 860",
                        ">nanoseconds, logarithmic; lower is better<",
                        ">100<") // a label of the axis
                .doesNotContain("Sentinel", "NaN", "Infinity");
        assertThat(dir.resolve("limiter.svg"))
                .content()
                .contains(">SlidingWindowLimiter<", ">23<")
                .doesNotContain("Guava");
        assertThat(dir.resolve("crowd.svg"))
                .content()
                .contains(">under a ReentrantLock<", ">records, once a ms, beside", ">2.0<")
                .doesNotContain(">acquires, refused<", ">this library<");
        assertThat(dir.resolve("burst.svg")).isNotEmptyFile();
    }

    @Test
    void write_again_isTheSame() throws IOException {
        Pictures.write(dir.resolve("raw"), dir);
        String first = Files.readString(dir.resolve("crowd.svg"));

        Pictures.write(dir.resolve("raw"), dir);

        assertThat(dir.resolve("crowd.svg")).hasContent(first);
    }

    private void write(String name, String... results) throws IOException {
        Files.writeString(
                dir.resolve("raw/" + name + "-jdk21.json"),
                Stream.of(results).collect(Collectors.joining(",", "[", "]")));
    }

    /** As JMH writes it, as far as it is read. Each value is a fork of its own; 8000 bytes of 1000 events. */
    private static String result(String method, int threads, String param, String rival, double... values) {
        String forks =
                Arrays.stream(values).mapToObj(value -> "[" + value + "]").collect(Collectors.joining(",", "[", "]"));
        return """
                {"benchmark": "org.example.Benchmark.%s", "threads": %d, "params": {"%s": "%s", "events": "1000"},
                 "primaryMetric": {"rawData": %s},
                 "secondaryMetrics": {"bytes": {"rawData": [[8000.0]]}, "p99.9": {"rawData": [[2000.0]]}}}
                """.formatted(method, threads, param, rival, forks);
    }
}
