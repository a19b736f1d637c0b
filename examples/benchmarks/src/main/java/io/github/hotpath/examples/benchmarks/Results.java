package io.github.hotpath.examples.benchmarks;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The raw results in a directory: JMH's JSON, a file for each part and JDK. */
final class Results {
    /** What is left out: places on the machine, and what nobody reads. */
    private static final Set<String> LEFT_OUT =
            Set.of("jvm", "jvmArgs", "scorePercentiles", "rawDataHistogram", "gc.alloc.rate", "gc.count", "gc.time");

    private final Path dir;

    Results(Path dir) {
        this.dir = dir;
    }

    /** Writes what JMH has written into several files as one. */
    void write(String part, int jdk, Collection<Path> written) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : written) {
            for (JsonElement result :
                    JsonParser.parseString(Files.readString(file)).getAsJsonArray()) {
                lines.add(withoutNeedless(result).toString());
            }
        }
        Files.writeString(file(part, jdk), "[\n" + String.join(",\n", lines) + "\n]\n");
    }

    private static JsonElement withoutNeedless(JsonElement element) {
        if (element instanceof JsonObject object) {
            LEFT_OUT.forEach(object::remove);
            object.asMap().values().forEach(Results::withoutNeedless);
        }
        return element;
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
     * Returns the only result of a selection: a part, and keys with their values, such as {@code
     * record/method=eventWindow/events=100}.
     */
    Result only(String selection, int jdk) throws IOException {
        String[] parts = selection.split("/");
        List<Result> found = read(parts[0], jdk).stream()
                .filter(result -> result.isOf(List.of(parts).subList(1, parts.length)))
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException(selection + ", JDK " + jdk + ": " + found.size() + " results");
        }
        return found.get(0);
    }

    /**
     * What one benchmark came to with some parameters.
     *
     * @param keys the parameters, the method, and the number of threads
     * @param metrics the median of each JVM, in order, by the name of what was measured; the time is "time"
     */
    record Result(Map<String, String> keys, String unit, Map<String, List<Double>> metrics) {
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
            return new Result(keys, primary.get("scoreUnit").getAsString().replaceFirst("/op$", ""), metrics);
        }

        private static List<Double> medians(JsonObject metric) {
            List<Double> medians = new ArrayList<>();
            for (JsonElement fork : metric.getAsJsonArray("rawData")) {
                JsonArray iterations = fork.getAsJsonArray();
                medians.add(median(iterations.asList().stream()
                        .map(JsonElement::getAsDouble)
                        .sorted()
                        .toList()));
            }
            return medians.stream().sorted().toList();
        }

        private static double median(List<Double> sorted) {
            int middle = sorted.size() / 2;
            return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        }

        boolean isOf(Collection<String> conditions) {
            return keys.entrySet().stream()
                    .map(key -> key.getKey() + "=" + key.getValue())
                    .collect(Collectors.toSet())
                    .containsAll(conditions);
        }

        /** Returns the median of all JVMs. */
        double median(String metric) {
            return median(metrics.get(metric));
        }

        double median() {
            return median("time");
        }
    }
}
