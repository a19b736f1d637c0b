package io.github.hotpath.examples.benchmarks;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How often each call that is measured reads a clock, and on whose account. */
final class ClockReadings {
    private static final String PASSED_IN =
            ".*one reading|SlidingWindow.*|Keyed.*|EventWindow.*|Concurrent.*|LongAdder.*|allOf.*|the .*";

    /** Of a record and a count, where a count reads a clock as well. */
    private static final Map<String, String> COUNTED =
            Map.of("Dropwizard, array", "2: own", "Dropwizard, Meter", "2: own", "Micrometer (steps)", "1: own");

    private ClockReadings() {}

    /** Returns it for a result with these keys, if it is one of a limiter or a counter. */
    static Optional<String> of(Map<String, String> keys) {
        boolean isCounted = "recordAndCount".equals(keys.get("method"));
        return Stream.of("limiter", "counter", "asked")
                .filter(keys::containsKey)
                .map(keys::get)
                .map(name -> isCounted && COUNTED.containsKey(name)
                        ? COUNTED.get(name)
                        : of(name, States.REFUSED.equals(keys.get("state"))))
                .findFirst();
    }

    static String of(String name, boolean isRefused) {
        return switch (name) {
            case "Bucket4j in a Caffeine cache" -> "2: bucket, cache";
            case "bucket4j-caffeine" -> "6: bucket, cache";
            case "Bucket4j, two in Caffeine caches and the service's" ->
                isRefused ? "2: bucket, cache" : "5: 3 buckets, 2 caches";
            case "Sentinel (buckets)" -> "0: a thread moves one";
            case "Micrometer (steps)" -> "0: but a count 1";
            case "the clock alone" -> "1:";
            default -> name.matches(PASSED_IN) ? "1: caller" : "1: own";
        };
    }
}
