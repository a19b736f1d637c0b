package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetsTest {
    @TempDir
    Path dir;

    @Test
    void missed_ratioOfMediansOverTheTarget_isNamed() throws IOException {
        Files.writeString(dir.resolve("record-jdk21.json"), """
                [%s, %s, %s]
                """.formatted(
                        record("eventWindow", 17.2), record("ring", 10), record("trimmedDeque", 40)));

        assertThat(Targets.missed(dir))
                .containsExactly(
                        "JDK 21: `EventWindow.record` | time / bare ring, the worst of three sizes: 1.72, at most 1.70");
        assertThat(Targets.table(dir, "windows").toString())
                .contains(
                        "| call or object | figure | at most | JDK 21 |",
                        "| `EventWindow.record` | time / bare ring, the worst of three sizes | 1.70 | **1.72** |",
                        "| `EventWindow.record` | time / `ArrayDeque`, the worst of three sizes | 0.55 | 0.43 |");
        assertThat(Targets.table(dir, "others").toString())
                .contains("| `Dirs.ensure` of an existing directory | time / `exists` | 1.20 | – |");
    }

    @Test
    void missed_oneOfManyCasesOfACrowd_isTheWorst() throws IOException {
        Files.writeString(dir.resolve("record-jdk21.json"), "[]");
        Files.writeString(dir.resolve("crowd-jdk21.json"), """
                [%s, %s, %s, %s, %s, %s, %s, %s]
                """.formatted(
                        crowd("record", 20, "CONCURRENT_EVENT_WINDOW", 29),
                        crowd("record", 20, "REENTRANT_LOCK", 10),
                        crowd("record", 200, "CONCURRENT_EVENT_WINDOW", 50),
                        crowd("record", 200, "REENTRANT_LOCK", 10),
                        crowd("record", 20, "EACH_ITS_OWN", 9),
                        crowd("refused", 200, "SLIDING_WINDOW_LIMITER", 90),
                        crowd("refused", 200, "REENTRANT_LOCK", 10),
                        crowd("refused", 200, "CLOCK", 40)));

        assertThat(Targets.missed(dir))
                .containsExactly(
                        "JDK 21: any call, on 20 or 200 threads | median / with a lock or none: 5.00, at most 3.00");
    }

    private static String record(String method, double nanos) {
        return """
                {"benchmark": "org.example.%s", "threads": 1, "params": {"events": "100"},
                 "primaryMetric": {"rawData": [[%s], [1.0], [1000.0]]}, "secondaryMetrics":
                 {"gc.alloc.rate.norm": {"rawData": [[0.0]]}}}
                """.formatted(method, nanos);
    }

    private static String crowd(String method, int threads, String window, double p50) {
        return """
                {"benchmark": "org.example.%s", "threads": %d, "params": {"window": "%s"},
                 "primaryMetric": {"rawData": [[1.0]]}, "secondaryMetrics":
                 {"p50": {"rawData": [[%s]]}, "p99.9": {"rawData": [[1.0]]}, "worst": {"rawData": [[1.0], [2.0]]}}}
                """.formatted(method, threads, window, p50);
    }
}
