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
import java.util.Collection;
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

    /** Adds the forks of {@code results} to those in the file, which has results of the same benchmarks. */
    static void add(Path file, Collection<RunResult> results) throws IOException {
        JsonArray all = JsonParser.parseString(Files.readString(file)).getAsJsonArray();
        Forks.add(all, json(results));
        write(file, all);
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

    static void write(Path file, JsonArray results) throws IOException {
        Files.writeString(file, GSON.toJson(results) + "\n");
    }
}
