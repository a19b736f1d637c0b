package io.github.hotpath.examples.benchmarks;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/**
 * Writes JMH's results as JMH's JSON, but for where the JVM lies and its arguments, which name places on the machine.
 */
final class Results {
    /** Where results are, in the directory of the pages and pictures that show them. */
    static final String RAW = "raw";

    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private Results() {}

    static void write(Path file, Collection<RunResult> results) throws IOException {
        write(file, json(results));
    }

    /** Writes figures of cases, fork by fork, in the form of JMH's JSON. */
    static void write(Path file, Map<ForkedCase, List<Map<String, Double>>> results, Jdk jdk) throws IOException {
        JsonArray array = new JsonArray();
        results.forEach((one, forks) -> {
            Map<String, Object> metrics = new LinkedHashMap<>();
            for (String name : forks.get(0).keySet()) {
                metrics.put(
                        name,
                        Map.of(
                                "rawData",
                                forks.stream()
                                        .map(fork -> List.of(fork.get(name)))
                                        .toList()));
            }
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("benchmark", ForkedCase.class.getName() + "." + one.method());
            result.put("date", LocalDate.now(ZoneOffset.UTC).toString());
            result.put("jdkVersion", jdk.name());
            result.put("processors", Runtime.getRuntime().availableProcessors());
            result.put("threads", one.threads());
            result.put("forks", forks.size());
            result.put("params", one.params());
            result.put("primaryMetric", metrics.values().iterator().next());
            result.put("secondaryMetrics", metrics);
            array.add(GSON.toJsonTree(result));
        });
        write(file, array);
    }

    private static JsonArray json(Collection<RunResult> results) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
        }
        JsonArray array =
                JsonParser.parseString(bytes.toString(StandardCharsets.UTF_8)).getAsJsonArray();
        for (JsonElement result : array) {
            JsonObject object = result.getAsJsonObject();
            object.remove("jvm");
            object.remove("jvmArgs");
        }
        return array;
    }

    private static void write(Path file, JsonArray results) throws IOException {
        Files.writeString(file, GSON.toJson(results) + "\n");
    }
}
