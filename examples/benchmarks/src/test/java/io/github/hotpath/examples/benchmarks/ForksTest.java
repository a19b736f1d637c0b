package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class ForksTest {
    @Test
    void add_sameBenchmark_hasTheForksOfBoth() {
        JsonArray results = results(result(1, "a", "[[1, 2]]"), result(2, "a", "[[7]]"), result(1, "b", "[[8]]"));

        Forks.add(results, results(result(1, "a", "[[3], [6]]")));

        JsonObject first = results.get(0).getAsJsonObject();
        JsonObject metric = first.getAsJsonObject("primaryMetric");
        assertThat(first.get("forks").getAsInt()).isEqualTo(2);
        assertThat(metric.getAsJsonArray("rawData")).hasToString("[[1,2],[3],[6]]");
        assertThat(metric.get("score").getAsDouble()).isEqualTo(3);
        assertThat(metric.getAsJsonObject("scorePercentiles")).hasToString("{\"50.0\":2.5,\"100.0\":6.0}");
        assertThat(metric.getAsJsonArray("scoreConfidence")).hasSize(2);
        assertThat(first.getAsJsonObject("secondaryMetrics")
                        .getAsJsonObject("bytes")
                        .getAsJsonArray("rawData"))
                .hasToString("[[1,2],[3],[6]]");
        assertThat(results.get(1)).isEqualTo(result(2, "a", "[[7]]"));
        assertThat(results.get(2)).isEqualTo(result(1, "b", "[[8]]"));
    }

    @Test
    void add_otherMetricAbsent_staysAsItWas() {
        JsonObject more = result(1, "a", "[[3]]");
        more.add("secondaryMetrics", new JsonObject());
        JsonArray results = results(result(1, "a", "[[1]]"));

        Forks.add(results, results(more));

        assertThat(results.get(0).getAsJsonObject().getAsJsonObject("secondaryMetrics"))
                .isEqualTo(result(1, "a", "[[1]]").getAsJsonObject("secondaryMetrics"));
    }

    /** As JMH does: JSON has none. */
    @Test
    void add_valueThatIsNoNumber_isAString() {
        JsonArray results = results(result(1, "a", "[[1]]"));

        Forks.add(results, results(result(1, "a", "[[\"NaN\"]]")));

        assertThat(results.get(0)
                        .getAsJsonObject()
                        .getAsJsonObject("primaryMetric")
                        .get("score")
                        .getAsString())
                .isEqualTo("NaN");
    }

    @Test
    void add_otherBenchmark_namesIt() {
        JsonArray results = results(result(1, "a", "[[1]]"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Forks.add(results, results(result(3, "a", "[[1]]"))))
                .withMessageContaining("Count")
                .withMessageContaining("3 threads");
    }

    private static JsonArray results(JsonObject... results) {
        JsonArray array = new JsonArray();
        for (JsonObject result : results) {
            array.add(result);
        }
        return array;
    }

    private static JsonObject result(int threads, String param, String values) {
        String metric = "{\"score\": 0, \"scoreError\": 0, \"scoreConfidence\": [0, 0],"
                + " \"scorePercentiles\": {\"50.0\": 0, \"100.0\": 0}, \"rawData\": " + values + "}";
        return JsonParser.parseString("{\"benchmark\": \"Count\", \"mode\": \"avgt\", \"threads\": " + threads
                        + ", \"forks\": 1, \"params\": {\"window\": \"" + param + "\"}, \"primaryMetric\": " + metric
                        + ", \"secondaryMetrics\": {\"bytes\": " + metric + "}}")
                .getAsJsonObject();
    }
}
