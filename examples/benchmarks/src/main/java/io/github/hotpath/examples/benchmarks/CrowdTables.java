package io.github.hotpath.examples.benchmarks;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which results of a crowd stand in which table, and their rows and columns. */
final class CrowdTables {
    private CrowdTables() {}

    /** Returns the columns of all figures. */
    static Column[] figures() {
        return new Column[] {
            column("p50", "median, ns", 1),
            column("p99", "99%, µs", 1e-3),
            column("p99.9", "99.9%, µs", 1e-3),
            column("worst", "worst, µs", 1e-3),
            column("long.p50", "long call, µs", 1e-3),
            column("long.worst", "its worst, µs", 1e-3),
            column("perSecond", "calls per second", 1),
            column("processors", "processors busy", 1),
            column("processorNanosPerCall", "processor time per call, ns", 1)
        };
    }

    /** Returns the columns of {@link CrowdRatios}. */
    static Column[] ratios() {
        return new Column[] {
            column("p50", "median", 1),
            column("p99", "99%", 1),
            column("p99.9", "99.9%", 1),
            column("worst", "worst", 1),
            column("long.p50", "long call", 1),
            column("long.worst", "its worst", 1),
            column("processors", "processors busy", 1),
            column("processorNanosPerCall", "processor time per call", 1),
            column("perSecond", "calls per second, higher is better", 1)
        };
    }

    /** Returns the columns of a few figures. */
    static Column[] inShort() {
        return new Column[] {
            column("p50", "median, ns", 1),
            column("p99.9", "99.9%, µs", 1e-3),
            column("worst", "worst, ms", 1e-6),
            column("perSecond", "calls per second", 1)
        };
    }

    private static Column column(String figure, String title, double factor) {
        return Column.rounded(
                        result -> title,
                        result -> factor * CrowdRatios.figure(figure).applyAsDouble(result))
                .where(result -> result.has(figure));
    }

    static String window(Measured result) {
        return SharedWindow.valueOf(result.param("window")).toString();
    }

    /** Returns the number of threads, and whether they are virtual. */
    static String threads(Measured result) {
        return result.threads() == CrowdCase.VIRTUAL ? "10,000 virtual" : String.valueOf(result.threads());
    }

    static List<Measured> crowds(List<Measured> results) {
        return results.stream().filter(result -> result.has("p50")).toList();
    }

    static List<Measured> crowds(List<Measured> results, int threads) {
        return crowds(results).stream()
                .filter(result -> result.threads() == threads)
                .toList();
    }

    /** Returns those of a traffic with a pause and of two without, of our classes and the locks. */
    static List<Measured> inShort(List<Measured> results) {
        Set<Crowd> crowds = EnumSet.of(Crowd.RECORD_AND_COUNT, Crowd.RECORD_AND_COUNT_BUSY, Crowd.REFUSED);
        return results.stream()
                .filter(result -> crowds.contains(Crowd.named(result.method())))
                .filter(result -> SharedWindow.valueOf(result.param("window")).isOurs()
                        || result.param("window").equals(SharedWindow.REENTRANT_LOCK.name()))
                .toList();
    }

    static List<Measured> named(List<Measured> results, String method) {
        return results.stream().filter(result -> result.method().equals(method)).toList();
    }
}
