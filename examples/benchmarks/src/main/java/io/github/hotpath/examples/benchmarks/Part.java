package io.github.hotpath.examples.benchmarks;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Fork;

/**
 * A run of a benchmark.
 *
 * @param method a pattern of its methods
 * @param parameters those that have other values than the benchmark's own
 */
record Part(Class<?> benchmark, String method, int threads, Map<String, List<String>> parameters) {
    private static final String OR = " or (?!delay)";

    /** All that is measured: what is in one file of results, in this order. */
    static final Map<String, List<Part>> ALL = new LinkedHashMap<>();

    /** What the summary shows, and is measured if nothing else is asked for. */
    static final List<String> MAIN = List.of(
            "record",
            "shared-counter",
            "dirs",
            "limiter",
            "limiter-loop",
            "limiter-threads",
            "ten-permits",
            "keys",
            "web");

    static {
        Map<String, String> values = new LinkedHashMap<>();
        lines("parts.txt").filter(line -> !line.startsWith("#")).forEach(line -> {
            String[] part = line.split(" [|] ?");
            if (part.length == 1) {
                values.put(line.split(": ")[0], line.split(": ")[1]);
                return;
            }
            String[] benchmark = part[1].split("[.]", 2);
            Map<String, List<String>> parameters = new LinkedHashMap<>();
            for (String parameter : part.length < 4 ? new String[0] : part[3].split("; ")) {
                String[] named = parameter.split("=");
                parameters.put(
                        named[0],
                        Stream.of(named[1].split(OR))
                                .flatMap(value -> Stream.of(
                                        values.getOrDefault(value, value).split(OR)))
                                .toList());
            }
            ALL.computeIfAbsent(part[0], any -> new ArrayList<>())
                    .add(new Part(
                            type(benchmark[0]),
                            benchmark.length == 1 ? ".*" : benchmark[1],
                            Integer.parseInt(part[2].strip()),
                            parameters));
        });
    }

    /** Returns the lines of a resource. */
    static Stream<String> lines(String name) {
        return new BufferedReader(new InputStreamReader(Part.class.getResourceAsStream(name), StandardCharsets.UTF_8))
                .lines();
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(Part.class.getPackageName() + "." + name + "Benchmark");
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("benchmark: " + name, e);
        }
    }

    String include() {
        return benchmark.getName().replace(".", "[.]") + "[.](" + method + ")$";
    }

    /** Returns how many JVMs measure each row, one in a round. */
    int rounds() {
        return benchmark.getAnnotation(Fork.class).value();
    }
}
