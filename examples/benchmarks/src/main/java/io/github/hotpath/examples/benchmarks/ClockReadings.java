package io.github.hotpath.examples.benchmarks;

import java.util.Map;

/** How often each call that is measured reads a clock, and on whose account. */
final class ClockReadings {
    private ClockReadings() {}

    /** Returns it for the row of a table with these keys. */
    static String of(Map<String, String> keys) {
        String name = keys.getOrDefault("limiter", keys.getOrDefault("counter", keys.getOrDefault("asked", "")));
        return switch (name) {
            case "Bucket4j in a Caffeine cache" -> "2: bucket, cache";
            case "bucket4j-caffeine" -> "6: bucket, cache";
            case "Bucket4j, two in Caffeine caches and the service's" ->
                keys.get("state").equals(States.REFUSED) ? "2: bucket, cache" : "5: 3 buckets, 2 caches";
            case "Sentinel (buckets)" -> "0: a thread moves one";
            case "Micrometer (steps)" -> "0; a count 1";
            case "the clock alone" -> "1:";
            default ->
                name.matches(
                                ".*one reading|SlidingWindow.*|Keyed.*|EventWindow.*|Concurrent.*|LongAdder.*|allOf.*|the .*")
                        ? "1: its caller"
                        : "1: its own";
        };
    }
}
