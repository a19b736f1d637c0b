package io.github.hotpath.examples.benchmarks;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One result in a file of JMH's: what was measured, with which parameters, and what each iteration of each fork came
 * to.
 */
record Measured(String method, int threads, Map<String, String> params, Values primary, Map<String, Values> secondary) {
    /** Returns the JDKs of which there are results of that name in {@code dir}, the oldest first. */
    static List<Integer> jdks(Path dir, String name) throws IOException {
        Pattern results = Pattern.compile(Pattern.quote(name) + "-jdk(\\d+)[.]json");
        try (Stream<Path> files = Files.list(dir)) {
            return files.map(file -> results.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(match -> Integer.valueOf(match.group(1)))
                    .sorted()
                    .toList();
        }
    }

    /** Reads the results of that name on one JDK, or none if there are none. */
    static List<Measured> read(Path dir, String name, int jdk) throws IOException {
        Path file = dir.resolve(name + "-jdk" + jdk + ".json");
        return Files.exists(file) ? read(file) : List.of();
    }

    /** Reads what {@link Results} or JMH itself has written. */
    static List<Measured> read(Path file) throws IOException {
        return stream(JsonParser.parseString(Files.readString(file)).getAsJsonArray())
                .map(result -> of(result.getAsJsonObject()))
                .toList();
    }

    private static Measured of(JsonObject result) {
        String benchmark = result.get("benchmark").getAsString();
        Map<String, String> params = new HashMap<>();
        if (result.has("params")) {
            result.getAsJsonObject("params")
                    .entrySet()
                    .forEach(
                            param -> params.put(param.getKey(), param.getValue().getAsString()));
        }
        Map<String, Values> secondary = new HashMap<>();
        result.getAsJsonObject("secondaryMetrics")
                .entrySet()
                .forEach(metric -> secondary.put(
                        metric.getKey(), Values.of(metric.getValue().getAsJsonObject())));
        return new Measured(
                benchmark.substring(benchmark.lastIndexOf('.') + 1),
                result.get("threads").getAsInt(),
                params,
                Values.of(result.getAsJsonObject("primaryMetric")),
                secondary);
    }

    private static Stream<JsonElement> stream(JsonArray array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    String param(String name) {
        return params.get(name);
    }

    long number(String param) {
        return Long.parseLong(param(param));
    }

    String numberOf(String param) {
        return String.format(Locale.ROOT, "%,d", number(param));
    }

    String inThreads() {
        return switch (threads) {
            case 1 -> "one thread";
            case 2 -> "two threads";
            default -> threads + " threads";
        };
    }

    String limiter() {
        return Limiter.valueOf(param("limiter")).toString();
    }

    String together() {
        return Together.valueOf(param("together")).toString();
    }

    String keyed() {
        return Keyed.valueOf(param("keyed")).toString();
    }

    /** Returns what becomes of nearly all calls. */
    String outcome() {
        return number("limit") < 1_000_000 ? "refused" : "granted";
    }

    double median() {
        return primary.median();
    }

    /** Returns the median of a figure other than the first. */
    double median(String figure) {
        return secondary.get(figure).median();
    }

    boolean has(String figure) {
        return secondary.containsKey(figure);
    }

    /** Returns a figure of several forks: the median, but of the worst the worst of all. */
    double figure(String name) {
        return name.endsWith("worst") ? secondary.get(name).most() : median(name);
    }

    /** Returns the bytes that a call allocates. */
    double allocated() {
        return median("gc.alloc.rate.norm");
    }

    /** Returns what the benchmark found to be kept in memory. */
    double bytes() {
        return secondary.get("bytes").median();
    }

    /** The median of each fork, and the values of all their iterations, both in order of their size. */
    record Values(List<Double> forks, List<Double> iterations) {
        private static final double WIDE = 1.25;

        /** Of forks of one iteration each. */
        Values(List<Double> sorted) {
            this(sorted, sorted);
        }

        private static Values of(JsonObject metric) {
            List<List<Double>> forks = stream(metric.getAsJsonArray("rawData"))
                    .map(fork -> sorted(stream(fork.getAsJsonArray()).map(JsonElement::getAsDouble)))
                    .toList();
            return new Values(
                    sorted(forks.stream().map(Values::median)),
                    sorted(forks.stream().flatMap(List::stream)));
        }

        private static List<Double> sorted(Stream<Double> values) {
            return values.sorted().toList();
        }

        /** Returns the median of the forks' medians, so that as many forks were slower as faster. */
        double median() {
            return median(forks);
        }

        private static double median(List<Double> sorted) {
            if (sorted.isEmpty()) {
                return Double.NaN;
            }
            int middle = sorted.size() / 2;
            return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        }

        /** Returns the median as it is published, with the range of the forks if they differ by more than a quarter. */
        String figure() {
            double least = forks.get(0);
            double most = forks.get(forks.size() - 1);
            String median = MarkdownTable.rounded(median());
            return most > WIDE * least
                    ? median + " (" + MarkdownTable.rounded(least) + "–" + MarkdownTable.rounded(most) + ")"
                    : median;
        }

        /** Returns the least of all iterations. */
        double least() {
            return iterations.get(0);
        }

        /** Returns the largest of all iterations. */
        double most() {
            return iterations.get(iterations.size() - 1);
        }
    }
}
