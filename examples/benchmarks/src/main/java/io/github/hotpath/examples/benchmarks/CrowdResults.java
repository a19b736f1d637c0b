package io.github.hotpath.examples.benchmarks;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of cases, fork by fork, written in the form of JMH's JSON, so that {@link Measured} reads them as well. */
final class CrowdResults {
    private final Map<CrowdCase, List<Map<String, Double>>> forks = new LinkedHashMap<>();
    private final boolean brief;

    CrowdResults(boolean brief) {
        this.brief = brief;
    }

    /** Adds the figures of one fork, none if it failed. */
    void add(CrowdCase one, Map<String, Double> figures) {
        List<Map<String, Double>> all = forks.computeIfAbsent(one, key -> new ArrayList<>());
        if (!figures.isEmpty()) {
            all.add(figures);
        }
    }

    /**
     * Writes the results in the order of {@code cases}, and keeps those in the file of cases that were not measured.
     */
    void write(Path file, List<CrowdCase> cases) throws IOException {
        Map<CrowdCase, JsonElement> results = new HashMap<>();
        if (Files.exists(file)) {
            for (JsonElement result :
                    JsonParser.parseString(Files.readString(file)).getAsJsonArray()) {
                results.put(caseOf(result.getAsJsonObject()), result);
            }
        }
        forks.forEach((one, all) -> results.put(one, all.isEmpty() ? null : json(one, all)));
        JsonArray array = new JsonArray();
        cases.stream().map(results::get).filter(result -> result != null).forEach(array::add);
        Results.write(file, array);
    }

    private static CrowdCase caseOf(JsonObject result) {
        String benchmark = result.get("benchmark").getAsString();
        Map<String, String> params = new HashMap<>();
        result.getAsJsonObject("params")
                .entrySet()
                .forEach(param -> params.put(param.getKey(), param.getValue().getAsString()));
        return new CrowdCase(
                benchmark.substring(benchmark.lastIndexOf('.') + 1),
                result.get("threads").getAsInt(),
                params);
    }

    private JsonObject json(CrowdCase one, List<Map<String, Double>> all) {
        JsonObject params = new JsonObject();
        one.params().forEach(params::addProperty);
        JsonObject metrics = new JsonObject();
        List<String> names =
                all.stream().flatMap(fork -> fork.keySet().stream()).distinct().toList();
        names.forEach(name -> metrics.add(name, metric(name, all)));
        JsonObject result = new JsonObject();
        result.addProperty("benchmark", Crowd.class.getName() + "." + one.method());
        result.addProperty("mode", brief ? "short" : "full");
        result.addProperty("date", LocalDate.now(ZoneOffset.UTC).toString());
        result.addProperty("jdkVersion", System.getProperty("java.vm.version"));
        result.addProperty("processors", Runtime.getRuntime().availableProcessors());
        result.addProperty("threads", one.threads());
        result.addProperty("forks", all.size());
        result.add("params", params);
        result.add("primaryMetric", metrics.get(names.get(0)));
        result.add("secondaryMetrics", metrics);
        return result;
    }

    private static JsonObject metric(String name, List<Map<String, Double>> all) {
        JsonArray data = new JsonArray();
        for (Map<String, Double> fork : all) {
            if (fork.containsKey(name)) {
                JsonArray values = new JsonArray();
                values.add(fork.get(name));
                data.add(values);
            }
        }
        JsonObject metric = new JsonObject();
        metric.add("rawData", data);
        return metric;
    }
}
