package io.github.hotpath.examples.benchmarks;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The raw results in a directory: JMH's JSON, a file for each part and JDK, with the commit and the day. Those that were
 * measured before are in the directory {@code before}.
 */
final class Results {
    /** What is left out: a place on the machine, what nobody reads, and what is that of one round alone. */
    private static final Set<String> LEFT_OUT = Set.of(
            "jvm",
            "forks",
            "score",
            "scoreError",
            "scoreConfidence",
            "scorePercentiles",
            "rawDataHistogram",
            "gc.alloc.rate",
            "gc.count",
            "gc.time");

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

    void write(String part, int jdk, Collection<JsonObject> rows) throws IOException {
        Files.writeString(
                file(part, jdk),
                rows.stream().map(JsonObject::toString).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    /** Adds what JMH has written in one round to the rows of all rounds, which may have more JVMs then. */
    static void add(Map<String, JsonObject> rows, String json, Map<String, String> labels) {
        for (JsonElement element : JsonParser.parseString(json).getAsJsonArray()) {
            JsonObject row = element.getAsJsonObject();
            withoutNeedless(row);
            labels.forEach(row::addProperty);
            JsonObject whole =
                    rows.putIfAbsent(row.get("benchmark") + "/" + row.get("threads") + "/" + row.get("params"), row);
            if (whole != null) {
                rawData(whole, "primaryMetric").addAll(rawData(row, "primaryMetric"));
                JsonObject counters = row.getAsJsonObject("secondaryMetrics");
                counters.keySet()
                        .forEach(name -> rawData(whole.getAsJsonObject("secondaryMetrics"), name)
                                .addAll(rawData(counters, name)));
            }
        }
    }

    private static JsonArray rawData(JsonObject of, String metric) {
        return of.getAsJsonObject(metric).getAsJsonArray("rawData");
    }

    private static void withoutNeedless(JsonElement element) {
        if (element instanceof JsonObject object) {
            LEFT_OUT.forEach(object::remove);
            object.asMap().values().forEach(Results::withoutNeedless);
        }
    }

    private Path file(String part, int jdk) {
        return dir.resolve(part + "-jdk" + jdk + ".json");
    }

    boolean has(String part, int jdk) {
        return Files.exists(file(part, jdk));
    }

    /** Reads the results of a part, in the order in which they were measured. */
    List<Result> read(String part, int jdk) throws IOException {
        List<Result> results = new ArrayList<>();
        for (JsonElement result :
                JsonParser.parseString(Files.readString(file(part, jdk))).getAsJsonArray()) {
            results.add(Result.of(result.getAsJsonObject()));
        }
        return results;
    }

    /**
     * Returns the figures of the only result of a selection: a part, and keys with their values, such as {@code
     * record/method=eventWindow/events=100}; and, behind a {@code #}, what is measured, if not the time.
     */
    List<Double> only(String selection, int jdk) throws IOException {
        String[] metric = selection.split("#");
        List<String> parts = List.of(metric[0].split("/"));
        List<Result> found = read(parts.get(0), jdk).stream()
                .filter(result -> result.isOf(parts.subList(1, parts.size())))
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException(selection + ", JDK " + jdk + ": " + found.size() + " results");
        }
        return found.get(0).metrics().get(metric.length == 1 ? "time" : metric[1]);
    }

    static double median(List<Double> sorted) {
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /**
     * What one benchmark came to with some parameters.
     *
     * @param keys the parameters, the method, the number of threads, and how often which clock is read
     * @param metrics the median of each JVM, in order, by the name of what was measured; the time is "time"
     * @param settings what it was measured with
     */
    record Result(Map<String, String> keys, String unit, Map<String, List<Double>> metrics, String settings) {
        private static Result of(JsonObject json) {
            Map<String, String> keys = new LinkedHashMap<>();
            if (json.has("params")) {
                json.getAsJsonObject("params").asMap().forEach((key, value) -> keys.put(key, value.getAsString()));
            }
            String benchmark = json.get("benchmark").getAsString();
            keys.put("method", benchmark.substring(benchmark.lastIndexOf('.') + 1));
            keys.putIfAbsent("threads", json.get("threads").getAsString());
            JsonObject primary = json.getAsJsonObject("primaryMetric");
            Map<String, List<Double>> metrics = new LinkedHashMap<>();
            metrics.put("time", medians(primary));
            json.getAsJsonObject("secondaryMetrics")
                    .asMap()
                    .forEach((name, metric) -> metrics.put(
                            name.equals("gc.alloc.rate.norm") ? "allocated" : name, medians(metric.getAsJsonObject())));
            if (metrics.containsKey("call")) {
                metrics.put("time", metrics.remove("call")); // what lies between calls means nothing
            }
            String settings = Stream.of(
                            "commit",
                            "date",
                            "vmName",
                            "vmVersion",
                            "jvmArgs",
                            "warmupIterations",
                            "warmupTime",
                            "measurementIterations",
                            "measurementTime")
                    .map(name -> json.has(name) ? json.get(name).toString().replace("\"", "") : "not noted")
                    .collect(Collectors.joining(" | "));
            return new Result(keys, primary.get("scoreUnit").getAsString().replaceFirst("/op$", ""), metrics, settings);
        }

        private static List<Double> medians(JsonObject metric) {
            List<Double> medians = new ArrayList<>();
            for (JsonElement fork : metric.getAsJsonArray("rawData")) {
                medians.add(median(fork.getAsJsonArray().asList().stream()
                        .map(JsonElement::getAsDouble)
                        .sorted()
                        .toList()));
            }
            return medians.stream().sorted().toList();
        }

        boolean isOf(Collection<String> conditions) {
            return keys.entrySet().stream()
                    .map(key -> key.getKey() + "=" + key.getValue())
                    .collect(Collectors.toSet())
                    .containsAll(conditions);
        }

        /** Returns what the benchmark is about: its own counters, or else the time. */
        Set<String> measured() {
            Set<String> own = new LinkedHashSet<>(metrics.keySet());
            own.removeAll(Set.of("time", "allocated", "refused", "length"));
            return own.isEmpty() ? Set.of("time") : own;
        }

        /** Returns the keys but one. */
        Map<String, String> without(String key) {
            Map<String, String> others = new LinkedHashMap<>(keys);
            others.remove(key);
            return others;
        }
    }
}
