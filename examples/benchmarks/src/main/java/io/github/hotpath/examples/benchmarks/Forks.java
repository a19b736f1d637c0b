package io.github.hotpath.examples.benchmarks;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.openjdk.jmh.util.ListStatistics;

/** Adds the forks of one run of a benchmark to those of another one, in JMH's JSON. */
final class Forks {
    /** What distinguishes the results of a file. */
    private static final List<String> KEY = List.of("benchmark", "mode", "threads", "params");

    private static final double CONFIDENCE = 0.999; // as JMH's

    private Forks() {}

    /** Adds the forks of each result in {@code more} to the result of the same benchmark in {@code results}. */
    static void add(JsonArray results, JsonArray more) {
        for (JsonElement element : more) {
            JsonObject result = element.getAsJsonObject();
            add(find(results, result), result);
        }
    }

    private static JsonObject find(JsonArray results, JsonObject like) {
        return StreamSupport.stream(results.spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .filter(result -> KEY.stream().allMatch(key -> isSame(result.get(key), like.get(key))))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("benchmark: " + like.get("benchmark") + " with "
                        + like.get("params") + " and " + like.get("threads")
                        + " threads (expected: one with results to add forks to)"));
    }

    /** A result without parameters has none of that name. */
    private static boolean isSame(JsonElement one, JsonElement other) {
        return one == null ? other == null : one.equals(other);
    }

    private static void add(JsonObject result, JsonObject more) {
        result.addProperty(
                "forks", result.get("forks").getAsInt() + more.get("forks").getAsInt());
        addValues(result.getAsJsonObject("primaryMetric"), more.getAsJsonObject("primaryMetric"));
        JsonObject others = more.getAsJsonObject("secondaryMetrics");
        for (Map.Entry<String, JsonElement> metric :
                result.getAsJsonObject("secondaryMetrics").entrySet()) {
            JsonObject other = others.getAsJsonObject(metric.getKey());
            if (other != null) { // without a collection, JMH has no time of it
                addValues(metric.getValue().getAsJsonObject(), other);
            }
        }
    }

    private static void addValues(JsonObject metric, JsonObject more) {
        JsonArray forks = metric.getAsJsonArray("rawData");
        forks.addAll(more.getAsJsonArray("rawData"));
        ListStatistics statistics = new ListStatistics();
        for (JsonElement fork : forks) {
            fork.getAsJsonArray().forEach(value -> statistics.addValue(value.getAsDouble()));
        }
        metric.add("score", number(statistics.getMean()));
        metric.add("scoreError", number(statistics.getMeanErrorAt(CONFIDENCE)));
        JsonArray interval = new JsonArray();
        for (double end : statistics.getConfidenceIntervalAt(CONFIDENCE)) {
            interval.add(number(end));
        }
        metric.add("scoreConfidence", interval);
        for (Map.Entry<String, JsonElement> percentile :
                metric.getAsJsonObject("scorePercentiles").entrySet()) {
            percentile.setValue(number(statistics.getPercentile(Double.parseDouble(percentile.getKey()))));
        }
    }

    /** JSON has no NaN, so JMH writes it as a string. */
    private static JsonPrimitive number(double value) {
        return Double.isNaN(value) ? new JsonPrimitive("NaN") : new JsonPrimitive(value);
    }
}
