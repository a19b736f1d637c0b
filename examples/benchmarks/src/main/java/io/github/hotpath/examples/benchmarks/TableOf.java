package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What tables there are: the results that each is made of, and which row and column a result goes to. */
enum TableOf {
    RECORD(
            "record",
            "events in the window",
            TableOf::events,
            ns(),
            allocated().where(m -> !m.method().equals("ring"))),
    COUNT("count", "events in the window", TableOf::events, ns()),
    EXPIRY(
            "expiry",
            "window",
            TableOf::window,
            Column.times(m ->
                    (m.param("left").equals("0") ? "all" : "all but ten") + " of " + m.numberOf("events") + ", µs")),
    MEMORY(
            "memory",
            "window",
            TableOf::window,
            Column.of(m -> "per event, of " + m.numberOf("events") + ", bytes", m -> m.bytes() / m.number("events"))
                    .where(m -> m.method().equals("filled")),
            Column.of(m -> "kept when they have expired, KiB", m -> m.bytes() / 1024)
                    .where(m -> m.method().equals("expired"))),
    SMALL_WINDOWS(
            "small-windows",
            "window",
            TableOf::window,
            Column.of(m -> "after " + m.numberOf("records") + " records, bytes", m -> m.bytes() / m.number("windows"))),
    COMPACT_FORM(
            "compact-form",
            "1,000 events",
            m -> CompactFormBenchmark.Times.valueOf(m.param("times")).toString(),
            Column.of(m -> "bytes an event", m -> m.bytes() / CompactFormBenchmark.EVENTS)
                    .where(m -> m.has("bytes")),
            Column.times(m -> m.method() + ", ns an event")),
    CONCURRENT(
            "concurrent",
            "counter",
            m -> Counter.valueOf(m.param("counter")).toString(),
            Column.times(m -> label(m) + ", " + m.inThreads() + ", ns")),
    LIMITER("limiter", "limiter", Measured::limiter, outcomes()),
    LIMITER_PERMITS("limiter-permits", "limiter", Measured::limiter, Column.times(m -> m.inThreads() + ", ns")),
    LIMITER_KINDS("limiter-kinds", "limiter", Measured::limiter, outcomes()),
    LIMITER_SIZE("limiter-size", "permits in the window", TableOf::events, ns()),
    LIMITER_TOGETHER(
            "limiter-together",
            "asked",
            m -> Together.valueOf(m.param("together")).toString(),
            outcomes(),
            Column.of(m -> m.outcome() + ", bytes allocated", Measured::allocated)
                    .where(m -> m.threads() == 1)),
    SMALL_LIMITERS(
            "small-limiters",
            "limiter",
            Measured::limiter,
            Column.of(m -> "with three permits, bytes", m -> m.bytes() / m.number("limiters"))),
    KEYED("keyed", "limiter", Measured::keyed, outcomes()),
    LIVE_KEYS(
            "live-keys",
            "limiter",
            Measured::keyed,
            Column.of(m -> "a key with three permits, bytes", m -> m.bytes() / m.number("keys"))),
    PASSING_KEYS(
            "passing-keys",
            "limiter, keys that pass",
            m -> m.keyed() + ", " + m.numberOf("keys"),
            Column.of(m -> "retained, MiB", m -> m.bytes() / (1 << 20)),
            Column.rounded(m -> "a new key, ns", m -> 1e6 * m.median() / m.number("keys"))),
    CROWD(
            "crowd",
            "each call | threads | of",
            m -> traffic(m) + " | " + threads(m) + " | "
                    + SharedWindow.valueOf(m.param("window")).toString(),
            crowd("p50", "median, µs", 1e-3),
            crowd("p99.9", "99.9%, µs", 1e-3),
            crowd("worst", "worst, ms", 1e-6),
            crowd("perSecond", "thousand calls a second", 1e-3)),
    WAITING(
            "waiting",
            "1,000 requests | limiter",
            m -> WaitingCrowd.valueOf(m.param("crowd")) + " | "
                    + Waiting.valueOf(m.param("limiter")).toString(),
            crowd("lateP50Millis", "late, median, ms", 1),
            crowd("lateP99.9Millis", "late, 99.9%, ms", 1),
            crowd("waitingProcessors", "processors busy while all wait", 1)),
    DIRS("dirs", "call", TableOf::label, Column.times(m -> "ns")),
    MISSING("missing", "call", TableOf::label, Column.times(m -> "depth " + m.param("depth") + ", µs")),
    BOUNDED_RECORD("bounded-record", "events in the window", TableOf::events, ns()),
    APPROXIMATION(
            "approximation",
            "events in the window",
            TableOf::events,
            Column.of(m -> "EventWindow, bytes", m -> m.median("exactBytes")).where(m -> m.has("exactBytes")),
            Column.of(m -> "allowed " + m.param("allowed") + ", bytes", Measured::bytes),
            Column.of(m -> "worst, %", m -> 100 * m.median("error"))
                    .where(m -> m.param("allowed").equals("0.01")));

    /** What the tables call a benchmark's method, where its name alone tells a reader too little. */
    private static final Map<String, String> LABELS = Map.ofEntries(
            Map.entry("eventWindow", "EventWindow"),
            Map.entry("ring", "bare ring"),
            Map.entry("trimmedDeque", "ArrayDeque"),
            Map.entry("recordAndCount", "record and count"),
            Map.entry("whole", "count of the interval"),
            Map.entry("halfSpan", "count of half of it"),
            Map.entry("late", "late record"),
            Map.entry("granted", "grant at the limit"),
            Map.entry("reserved", "reservation"),
            Map.entry("readBounds", "both bounds"),
            Map.entry("recordExactly", "record in an EventWindow"),
            Map.entry("exists", "Files.exists"),
            Map.entry("isDirectory", "Files.isDirectory"),
            Map.entry("createDirectories", "Files.createDirectories"),
            Map.entry("ensure", "Dirs.ensure"),
            Map.entry("ensureParent", "Dirs.ensureParent"),
            Map.entry("guava", "Guava"),
            Map.entry("commonsIoOfPath", "Commons IO, of a Path"),
            Map.entry("commonsIoOfFile", "Commons IO, of a File"),
            Map.entry("mkdirs", "File.mkdirs"));

    private static final Map<String, String> TRAFFICS = Map.of(
            "record", "records, once a ms",
            "recordBusy", "records",
            "toArray", "records, once a ms, beside copies each 10 ms",
            "toArrayBusy", "records, once a ms, beside copies",
            "recordAndCount", "records and counts, once a ms",
            "recordAndCountBusy", "records and counts",
            "granted", "acquires, granted",
            "refused", "acquires, refused");

    private final String file;
    private final String corner;
    private final Function<Measured, String> row;
    private final List<Column> columns;

    TableOf(String file, String corner, Function<Measured, String> row, Column... columns) {
        this.file = file;
        this.corner = corner;
        this.row = row;
        this.columns = List.of(columns);
    }

    /** Returns the table of the results of one JDK in {@code dir}. */
    MarkdownTable read(Path dir, int jdk) throws IOException {
        MarkdownTable table = new MarkdownTable(corner);
        for (Measured result : Measured.read(dir, file, jdk)) {
            columns.stream()
                    .filter(column -> column.takes().test(result))
                    .forEach(column -> table.put(
                            row.apply(result),
                            column.title().apply(result),
                            column.cell().apply(result)));
        }
        return table;
    }

    static String label(Measured result) {
        return LABELS.getOrDefault(result.method(), result.method());
    }

    static String traffic(Measured result) {
        return TRAFFICS.getOrDefault(result.method(), result.method());
    }

    static String threads(Measured result) {
        return result.threads() + (result.params().containsKey("virtual") ? " virtual" : "");
    }

    private static Column ns() {
        return Column.times(m -> label(m) + ", ns");
    }

    private static Column allocated() {
        return Column.of(m -> label(m) + ", bytes allocated", Measured::allocated);
    }

    private static Column outcomes() {
        return Column.times(m -> m.outcome() + ", " + m.inThreads() + ", ns");
    }

    /** Of a figure in each fork: the median, but of the worst the worst of all. */
    private static Column crowd(String figure, String title, double factor) {
        return Column.rounded(m -> title, m -> factor * m.figure(figure));
    }

    private static String events(Measured result) {
        return result.numberOf("events");
    }

    private static String window(Measured result) {
        return ExactWindow.valueOf(result.param("window")).toString();
    }
}
