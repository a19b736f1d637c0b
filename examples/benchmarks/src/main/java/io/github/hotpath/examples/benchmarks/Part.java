package io.github.hotpath.examples.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A run of a benchmark.
 *
 * @param parameters those that have other values than the benchmark's own
 */
record Part(Class<?> benchmark, int threads, Map<String, List<String>> parameters) {
    /** All that is measured: what is in one file of results, in this order. */
    static final Map<String, List<Part>> ALL = all();

    private static Map<String, List<Part>> all() {
        Map<String, List<Part>> all = new LinkedHashMap<>();
        all.put("record", List.of(of(RecordBenchmark.class, 1)));
        all.put("count", List.of(of(CountBenchmark.class, 1)));
        all.put("sources", List.of(of(SourcesBenchmark.class, 1)));
        all.put("expiry", List.of(of(ExpiryBenchmark.class, 1)));
        all.put("memory", List.of(of(MemoryBenchmark.class, 1)));
        all.put("compact-form", List.of(of(CompactFormBenchmark.class, 1)));
        all.put("bounded", List.of(of(BoundedBenchmark.class, 1)));
        all.put("error", List.of(of(ErrorBenchmark.class, 1)));
        all.put("dirs", List.of(of(DirsBenchmark.class, 1)));
        all.put("missing-dirs", List.of(of(MissingDirsBenchmark.class, 1)));
        all.put("shared-counter", List.of(of(SharedCounterBenchmark.class, 1), of(SharedCounterBenchmark.class, 2)));
        all.put("limiter", List.of(of(LimiterBenchmark.class, 1), onTwoThreads(LimiterBenchmark.class)));
        Map<String, List<String>> ten = Map.of(
                "state",
                List.of(States.TEN),
                "limiter",
                List.of(
                        "the clock alone",
                        "SlidingWindowLimiter",
                        "Bucket4j (tokens)",
                        "Resilience4j (cycles)",
                        "Guava (smooth)"));
        all.put(
                "ten-permits",
                List.of(new Part(LimiterBenchmark.class, 1, ten), new Part(LimiterBenchmark.class, 2, ten)));
        all.put(
                "limiter-kinds",
                List.of(new Part(
                        LimiterBenchmark.class,
                        1,
                        Map.of(
                                "limiter",
                                List.of(
                                        "SlidingWindowLimiter, two limits",
                                        "Bucket4j (tokens), two limits",
                                        "SlidingWindowLimiter, or delay",
                                        "Bucket4j (tokens), or delay")))));
        all.put("reservation", List.of(of(ReservationBenchmark.class, 1)));
        Map<String, List<String>> hot = Map.of("keys", List.of(KeyBenchmark.HOT));
        Map<String, List<String>> hotOnTwo =
                Map.of("keys", List.of(KeyBenchmark.HOT), "state", List.of(States.FAR, States.REFUSED));
        all.put("keys", List.of(new Part(KeyBenchmark.class, 1, hot), new Part(KeyBenchmark.class, 2, hotOnTwo)));
        Map<String, List<String>> zipf = Map.of(
                "keys",
                List.of(KeyBenchmark.ZIPF),
                "state",
                List.of(States.FAR),
                "limiter",
                List.of("KeyedLimiter", "Bucket4j in a Caffeine cache", "Resilience4j's registry"));
        all.put("keys-zipf", List.of(new Part(KeyBenchmark.class, 1, zipf), new Part(KeyBenchmark.class, 2, zipf)));
        all.put("new-key", List.of(of(NewKeyBenchmark.class, 1)));
        all.put("limiter-memory", List.of(of(LimiterMemoryBenchmark.class, 1)));
        all.put("web", List.of(of(WebBenchmark.class, 1), of(WebBenchmark.class, 2)));
        all.put("waiting", List.of(of(WaitingBenchmark.class, 1)));
        all.put("waiting-share", List.of(of(WaitingShareBenchmark.class, 1)));
        Map<String, List<String>> nothing = Map.of("of", List.of("nothing"), "call", List.of("record"));
        Map<String, List<String>> windows = Map.of("of", List.of("EventWindow, ReentrantLock", "hotpath"));
        all.put(
                "crowd",
                List.of(new Part(CrowdBenchmark.class, 1, nothing), new Part(CrowdBenchmark.class, 1, windows)));
        return all;
    }

    private static Part of(Class<?> benchmark, int threads) {
        return new Part(benchmark, threads, Map.of());
    }

    /** But at the limit, where one clock is set for all. */
    private static Part onTwoThreads(Class<?> benchmark) {
        return new Part(benchmark, 2, Map.of("state", List.of(States.FAR, States.REFUSED)));
    }
}
