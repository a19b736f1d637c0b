package io.github.hotpath.examples.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Fork;

/**
 * A run of a benchmark.
 *
 * @param method a pattern of its methods
 * @param parameters those that have other values than the benchmark's own
 */
record Part(Class<?> benchmark, String method, int threads, Map<String, List<String>> parameters) {
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

    /** Each part, in order: its benchmark and perhaps a method, on so many threads, with these parameters. */
    private static final String PARTS = """
            record | Record | 1 | before=nothing; events=10000
            record | Record.eventWindow | 1 | before=other uses; events=10000
            record | Record | 1 | before=nothing; events=100 or 1000000; gaps=exponential gaps
            shared-counter | SharedCounter.record | 1 |
            shared-counter | SharedCounter.record | 2 |
            dirs | Dirs | 1 |
            limiter | Limiter | 1 |
            limiter-loop | Limiter | 1 | gaps=a loop; state=granted far from the limit or refused; limiter=RIVALS
            limiter-loop | Limiter | 2 | gaps=a loop; state=granted far from the limit or refused; limiter=RIVALS
            limiter-threads | Paced | 2 |
            ten-permits | Limiter | 1 | gaps=a loop; state=ten refused of five left; limiter=TEN
            ten-permits | Limiter | 2 | gaps=a loop; state=ten refused of five left; limiter=TEN
            keys | Key | 1 |
            keys | Key | 1 | gaps=exponential gaps; state=at the limit
            keys | Key | 2 |
            web | Web | 1 |
            web-threads | Web | 2 |
            counts | SharedCounter.recordAndCount | 1 |
            counts | SharedCounter.recordAndCount | 2 |
            stripes | Stripes | 1 |
            count | Count | 1 |
            sources | Sources | 1 |
            expiry | Expiry | 1 |
            slowest | Slowest | 1 |
            memory | Memory | 1 |
            compact-form | CompactForm | 1 |
            bounded | Bounded | 1 |
            error | Error | 1 |
            missing-dirs | MissingDirs | 1 |
            limiter-kinds | Limiter | 1 | gaps=a loop; state=granted far from the limit; limiter=KINDS
            limiter-kinds | Limiter | 1 | state=at the limit or twice the limit; gaps=exponential gaps; limiter=TRIED
            reservation | Reservation | 1 |
            new-key | NewKey | 1 |
            limiter-memory | LimiterMemory | 1 |
            waiting | Waiting | 1 |
            waiting-share | WaitingShare | 1 |
            crowd | Crowd | 1 | of=nothing; call=record
            crowd | Crowd | 1 | of=EventWindow, ReentrantLock or hotpath
            """.replace("RIVALS", "TEN or EventWindow, locked or SmallRye (rolling)")
            .replace(
                    "=TEN",
                    "=the clock alone or SlidingWindowLimiter or Bucket4j (tokens) or Resilience4j (cycles)"
                            + " or Guava (smooth) or Failsafe (bursts)")
            .replace(
                    "KINDS",
                    "TRIED or SlidingWindowLimiter, reserve or BlockingLimiter, acquire or Bucket4j (tokens), consume")
            .replace(
                    "=TRIED",
                    "=SlidingWindowLimiter, two limits or Bucket4j (tokens), two limits"
                            + " or SlidingWindowLimiter, or delay or Bucket4j (tokens), or delay");

    /** All that is measured: what is in one file of results, in this order. */
    static final Map<String, List<Part>> ALL = all();

    private static Map<String, List<Part>> all() {
        Map<String, List<Part>> all = new LinkedHashMap<>();
        PARTS.lines().map(line -> line.split(" [|] ?")).forEach(part -> {
            String[] benchmark = part[1].split("[.]");
            Map<String, List<String>> parameters = new LinkedHashMap<>();
            for (String parameter : part.length < 4 ? new String[0] : part[3].split("; ")) {
                String[] named = parameter.split("=");
                parameters.put(named[0], List.of(named[1].split(" or (?!delay)")));
            }
            all.computeIfAbsent(part[0], any -> new ArrayList<>())
                    .add(new Part(
                            type(benchmark[0]),
                            benchmark.length == 1 ? ".*" : benchmark[1],
                            Integer.parseInt(part[2].strip()),
                            parameters));
        });
        return all;
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(
                    Part.class.getPackageName() + "." + name + "Benchmark", false, Part.class.getClassLoader());
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
