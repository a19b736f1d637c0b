package io.github.hotpath.examples.benchmarks;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The raw results in a directory: what the tables need of JMH's JSON, a file for each part and JDK. Those that were
 * measured before are in the directory {@code before}.
 */
final class Results {
    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private final Path dir;

    Results(Path dir) {
        this.dir = dir;
    }

    Results before() {
        return new Results(dir.resolve("before"));
    }

    /** Makes what was measured last what was measured before. */
    void retire(String part, int jdk) throws IOException {
        if (has(part, jdk)) {
            Path before = before().file(part, jdk);
            Files.move(file(part, jdk), Dirs.ensureParent(before), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    void write(String part, int jdk, Collection<Row> rows) throws IOException {
        Files.writeString(
                file(part, jdk), rows.stream().map(GSON::toJson).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    /** Adds what JMH has written in one round to the rows of all rounds, which may have more JVMs then. */
    static void add(Map<Map<String, String>, Row> rows, String json, String commit, String date, String machine) {
        for (Row row : GSON.fromJson(json, Row[].class)) {
            row.commit = commit;
            row.date = date;
            row.machine = machine;
            row.secondaryMetrics.keySet().removeIf(name -> name.matches("gc[.].*(rate|count|time)"));
            Row first = rows.putIfAbsent(row.keys(), row);
            if (first != null) {
                first.primaryMetric.rawData.addAll(row.primaryMetric.rawData);
                first.secondaryMetrics.forEach(
                        (name, metric) -> metric.rawData.addAll(row.secondaryMetrics.get(name).rawData));
            }
        }
    }

    private Path file(String part, int jdk) {
        return dir.resolve(part + "-jdk" + jdk + ".json");
    }

    boolean has(String part, int jdk) {
        return Files.exists(file(part, jdk));
    }

    /** Reads the results of a part, in the order in which they were measured: none if it was not. */
    List<Row> read(String part, int jdk) throws IOException {
        return has(part, jdk) ? List.of(GSON.fromJson(Files.readString(file(part, jdk)), Row[].class)) : List.of();
    }

    /**
     * Returns the figures of the only result of a selection: a part, and keys with their values, such as {@code
     * record/method=eventWindow/events=100}; and, behind a {@code #}, what is measured, if not the time.
     */
    List<Double> only(String selection, int jdk) throws IOException {
        String[] metric = selection.split("#");
        List<String> parts = List.of(metric[0].split("/"));
        List<Row> found = read(parts.get(0), jdk).stream()
                .filter(row -> row.isOf(parts.subList(1, parts.size())))
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException(selection + ", JDK " + jdk + ": " + found.size() + " results");
        }
        return found.get(0).metrics().get(metric.length == 1 ? "time" : metric[1]);
    }

    static double median(List<Double> figures) {
        List<Double> sorted = figures.stream().sorted().toList();
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }

    /** What one benchmark came to with some parameters. */
    static final class Row {
        private String commit;
        private String date;
        private String machine;
        private String benchmark;
        private int threads;
        private String vmVersion;
        private List<String> jvmArgs;
        private int warmupIterations;
        private String warmupTime;
        private int measurementIterations;
        private String measurementTime;
        private Map<String, String> params;
        private Metric primaryMetric;
        private Map<String, Metric> secondaryMetrics;

        /** Returns the parameters, the method, the number of threads, and how often which clock is read. */
        Map<String, String> keys() {
            Map<String, String> keys = new LinkedHashMap<>(params == null ? Map.of() : params);
            keys.put("method", benchmark.substring(benchmark.lastIndexOf('.') + 1));
            keys.putIfAbsent("threads", Integer.toString(threads));
            ClockReadings.of(keys).ifPresent(readings -> keys.put("clock", readings));
            return keys;
        }

        /** Returns the keys but one, and but the clock's. */
        Map<String, String> without(String key) {
            Map<String, String> others = keys();
            others.remove(key);
            others.remove("clock");
            return others;
        }

        private Stream<String> conditions() {
            return without("clock").entrySet().stream().map(key -> key.getKey() + "=" + key.getValue());
        }

        boolean isOf(Collection<String> conditions) {
            return conditions().collect(Collectors.toSet()).containsAll(conditions);
        }

        /** Returns what selects this result, behind its part. */
        String selection() {
            return conditions().collect(Collectors.joining("/", "/", ""));
        }

        /** Returns the median of each JVM, in order, by the name of what was measured; the time is "time". */
        Map<String, List<Double>> metrics() {
            Map<String, List<Double>> metrics = new LinkedHashMap<>();
            metrics.put("time", primaryMetric.medians());
            secondaryMetrics.forEach((name, metric) -> metrics.put(
                    switch (name) {
                        case "gc.alloc.rate.norm" -> "allocated";
                        case "call" -> "time"; // what lies between calls means nothing
                        case "refused" -> "share";
                        default -> name;
                    },
                    metric.medians()));
            return metrics;
        }

        /** Returns what the benchmark is about: its own counters, or else the time. */
        Set<String> measured() {
            Set<String> own = new LinkedHashSet<>(metrics().keySet());
            own.removeAll(Set.of("time", "allocated", "share"));
            return own.isEmpty() ? Set.of("time") : own;
        }

        String unit() {
            return primaryMetric.scoreUnit.replaceFirst("/op$", "").replace("us", "µs");
        }

        /** Returns what it was measured with but the JVM and the machine, as cells of a table. */
        String settings() {
            return Stream.of(commit, date, jvmArgs == null ? null : String.join(" ", jvmArgs))
                            .map(setting -> setting == null ? "not noted" : setting)
                            .collect(Collectors.joining(" | "))
                    + " | " + warmupIterations + " of " + warmupTime + " | " + measurementIterations + " of "
                    + measurementTime + " | " + primaryMetric.rawData.size();
        }
    }

    /** The figures of all iterations, for each JVM. */
    private record Metric(String scoreUnit, List<List<Double>> rawData) {
        List<Double> medians() {
            return rawData.stream().map(Results::median).sorted().toList();
        }
    }
}
