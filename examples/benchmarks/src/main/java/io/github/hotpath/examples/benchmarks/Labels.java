package io.github.hotpath.examples.benchmarks;

import java.util.Map;

/** What the tables call a benchmark's method or a traffic, where its name alone tells a reader too little. */
final class Labels {
    private static final Map<String, String> LABELS = Map.ofEntries(
            Map.entry("eventWindow", "EventWindow"),
            Map.entry("ring", "bare ring"),
            Map.entry("trimmedDeque", "ArrayDeque, trimmed"),
            Map.entry("sweptDeque", "ArrayDeque, swept"),
            Map.entry("harness", "empty loop"),
            Map.entry("recordAndCount", "record and count"),
            Map.entry("whole", "count of the interval"),
            Map.entry("halfSpan", "count of half of it"),
            Map.entry("late", "late record"),
            Map.entry("readBounds", "both bounds"),
            Map.entry("recordExactly", "record in an EventWindow"),
            Map.entry("exists", "Files.exists"),
            Map.entry("existsOfNewPath", "Files.exists, another Path each time"),
            Map.entry("isDirectory", "Files.isDirectory"),
            Map.entry("createDirectories", "Files.createDirectories"),
            Map.entry("ensure", "Dirs.ensure"),
            Map.entry("ensureOfNewPath", "Dirs.ensure, another Path each time"),
            Map.entry("ensureParent", "Dirs.ensureParent"),
            Map.entry("withParent", "Dirs.withParent"),
            Map.entry("guava", "Guava"),
            Map.entry("commonsIoOfPath", "Commons IO, of a Path"),
            Map.entry("commonsIoOfFile", "Commons IO, of a File"),
            Map.entry("mkdirs", "File.mkdirs"),
            Map.entry("alone", "nothing, the size alone"),
            Map.entry("entries", "Dirs.entries"),
            Map.entry("forEachEntry", "Dirs.forEachEntry"),
            Map.entry("find", "Files.find"),
            Map.entry("walkFileTree", "Files.walkFileTree"),
            Map.entry("listFiles", "File.listFiles and length"),
            Map.entry("oneByOne", "DirectoryStream and readAttributes"),
            Map.entry("names", "DirectoryStream, names alone"));

    private static final Map<String, String> TRAFFICS = Map.of(
            "toArray", "copies every 10 ms",
            "toArrayBusy", "copies without a pause",
            "recordAndCount", "counts every 1 ms",
            "recordAndCountBusy", "counts without a pause",
            "granted", "attempts, granted",
            "refused", "attempts, refused");

    private Labels() {}

    static String ofMethod(Measured result) {
        return LABELS.getOrDefault(result.method(), result.method());
    }

    static String ofTraffic(Measured result) {
        return TRAFFICS.getOrDefault(result.method(), result.method());
    }
}
