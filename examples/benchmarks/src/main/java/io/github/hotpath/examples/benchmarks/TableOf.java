package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** What tables there are: the file that each is made of, and which row and column a result goes to. */
enum TableOf {
    RECORD(
            "record",
            "events in the window",
            result -> result.numberOf("events")
                    + (result.param("before").equals("nothing") ? "" : ", after small windows"),
            Column.times(result -> Labels.ofMethod(result) + ", ns"),
            Column.of(result -> Labels.ofMethod(result) + ", bytes allocated", TableOf::allocated)
                    .where(result -> List.of("eventWindow", "trimmedDeque").contains(result.method()))),
    RECORD_IN_SHORT(
            "record",
            "events in the window",
            result -> result.numberOf("events"),
            Column.times(result -> Labels.ofMethod(result) + ", ns")
                    .where(result -> result.param("before").equals("nothing")
                            && List.of("eventWindow", "ring", "trimmedDeque").contains(result.method()))),
    CONCURRENT_IN_SHORT(
            "concurrent",
            "counter",
            Measured::counter,
            Column.times(result -> Labels.ofMethod(result) + ", " + result.inThreads() + ", ns")),
    CONCURRENT(
            "concurrent",
            "counter",
            Measured::counter,
            Column.times(result -> Labels.ofMethod(result) + ", " + result.inThreads() + ", ns"),
            Column.of(result -> Labels.ofMethod(result) + ", bytes allocated", TableOf::allocated)
                    .where(result -> result.threads() == 1)),
    LIMITER(
            "limiter",
            "limiter",
            Measured::limiter,
            Column.times(result -> result.refusedOrGranted() + ", " + result.inThreads() + ", ns")
                    .where(result -> result.threads() <= 2),
            Column.of(result -> result.refusedOrGranted() + ", bytes allocated", TableOf::allocated)
                    .where(result -> result.threads() == 1)),
    LIMITER_IN_SHORT(
            "limiter",
            "limiter",
            Measured::limiter,
            Column.times(result -> result.refusedOrGranted() + ", " + result.inThreads() + ", ns")),
    LIMITER_PERMITS(
            "limiter-permits",
            "limiter",
            Measured::limiter,
            Column.times(result -> result.refusedOrGranted()
                    + (result.number("limit") % 10 == 0 ? ", " : ", five left, ") + result.inThreads() + ", ns")),
    LIMITER_KINDS(
            "limiter-kinds",
            "limiter",
            Measured::limiter,
            Column.times(result -> result.refusedOrGranted() + ", " + result.inThreads() + ", ns")),
    LIMITER_TOGETHER(
            "limiter-together",
            "asked",
            result -> Together.valueOf(result.param("together")).toString(),
            Column.times(result -> outcome(result) + ", " + result.inThreads() + ", ns"),
            Column.of(result -> outcome(result) + ", bytes allocated", TableOf::allocated)
                    .where(result -> result.threads() == 1)),
    LIMITER_SIZE(
            "limiter-size",
            "permits in the window",
            result -> result.numberOf("events"),
            Column.times(result -> Labels.ofMethod(result) + ", ns"),
            Column.of(result -> Labels.ofMethod(result) + ", bytes allocated", TableOf::allocated)),
    SMALL_LIMITERS(
            "small-limiters",
            "limiter",
            Measured::limiter,
            Column.of(
                    result -> "each of " + result.numberOf("limiters") + ", with three permits, bytes",
                    result -> result.bytes() / result.number("limiters"))),
    KEYED(
            "keyed",
            "limiter",
            Measured::keyed,
            Column.times(result -> outcome(result) + ", " + result.inThreads() + ", ns")
                    .where(result -> result.threads() <= 2)),
    LIVE_KEYS(
            "live-keys",
            "limiter",
            Measured::keyed,
            Column.of(
                    result -> "each of " + result.numberOf("keys") + ", with three permits, bytes",
                    result -> result.bytes() / result.number("keys"))),
    PASSING_KEYS(
            "passing-keys",
            "limiter",
            Measured::keyed,
            Column.of(
                    result -> "after " + result.numberOf("keys") + " keys, MiB", result -> result.bytes() / (1 << 20)),
            Column.rounded(
                    result -> "each of " + result.numberOf("keys") + ", ns",
                    result -> 1e6 * result.median() / result.number("keys"))),
    COUNT(
            "count",
            "events in the window",
            result -> result.numberOf("events"),
            Column.times(result -> Labels.ofMethod(result) + ", ns")),
    EXPIRY(
            "expiry",
            "window",
            TableOf::window,
            Column.times(result -> (result.param("left").equals("0") ? "all" : "all but ten") + " of "
                    + result.numberOf("events") + ", µs")),
    SLOWEST(
            "slowest",
            "window",
            result -> result.method().equals("clockAlone") ? "none, the clock alone" : window(result),
            Column.rounds(
                    result -> "slowest record, µs", result -> result.secondary().get("nanos"), 1000),
            Column.rounds(result -> result.numberOf("events") + " records, ms", Measured::primary, 1)),
    MEMORY(
            "memory",
            "window",
            TableOf::window,
            Column.of(
                            result -> "per event, of " + result.numberOf("events") + ", bytes",
                            result -> result.bytes() / result.number("events"))
                    .where(result -> result.method().equals("filled")),
            Column.of(result -> "kept when they have expired, KiB", result -> result.bytes() / 1024)
                    .where(result -> result.method().equals("expired"))),
    SMALL_WINDOWS(
            "small-windows",
            "window",
            TableOf::window,
            Column.of(
                    result -> "each of " + result.numberOf("windows") + ", after " + result.param("records")
                            + " records, bytes",
                    result -> result.bytes() / result.number("windows"))),
    COMPACT_FORM(
            "compact-form",
            "1,000 events",
            result -> CompactFormBenchmark.Times.valueOf(result.param("times"))
                    + (result.method().endsWith("Longs") ? ", as longs" : ""),
            Column.of(result -> "bytes an event", result -> result.bytes() / CompactFormBenchmark.EVENTS)
                    .where(result -> result.method().startsWith("write")),
            Column.times(result -> "write, ns an event")
                    .where(result -> result.method().startsWith("write")),
            Column.times(result -> "read, ns an event")
                    .where(result -> result.method().startsWith("read"))),
    STREAM(
            "stream",
            "window, keys",
            result -> result.param("seconds") + " s, " + result.numberOf("keys"),
            Column.times(result -> result.param("way") + ", events a second")),
    FLEET(
            "fleet",
            "engine, clients",
            result -> result.param("engine") + ", " + result.numberOf("clients"),
            Column.times(result -> "granted in a second, keys: " + result.numberOf("keys"))
                    .where(result -> result.method().equals("granted")),
            Column.times(result -> "refused locally, ns")
                    .where(result -> result.method().equals("refused"))),
    DIRS("dirs", "way", Labels::ofMethod, Column.times(result -> "ns")),
    MISSING("missing", "way", Labels::ofMethod, Column.times(result -> "depth " + result.param("depth") + ", µs")),
    WITH_PARENT("with-parent", "way", Labels::ofMethod, Column.times(result -> "ns")),
    LIST("list", "way", Labels::ofMethod, Column.times(result -> result.numberOf("files") + " files, µs")),
    BOUNDED_RECORD(
            "bounded-record",
            "events in the window",
            result -> result.numberOf("events"),
            Column.times(result -> Labels.ofMethod(result) + ", ns"),
            Column.of(result -> Labels.ofMethod(result) + ", bytes allocated", TableOf::allocated)
                    .where(result -> result.method().equals("record"))),
    APPROXIMATION_MEMORY(
            "approximation",
            "events in the window",
            result -> result.numberOf("events"),
            Column.of(result -> Approximation.valueOf(result.param("counter")) + ", bytes", Measured::bytes)
                    .where(result -> result.param("course").equals("STEADY"))),
    APPROXIMATION_IN_SHORT(
            "approximation",
            "events in the window",
            result -> result.numberOf("events"),
            results -> results.stream()
                    .filter(result -> List.of(1_000L, 100_000L, 10_000_000L).contains(result.number("events")))
                    .toList(),
            Column.of(result -> Approximation.valueOf(result.param("counter")) + ", bytes", Measured::bytes)
                    .where(result -> result.param("course").equals("STEADY")
                            && List.of("BOUNDED_EVENT_WINDOW", "EVENT_WINDOW").contains(result.param("counter"))),
            Column.of(
                            result -> Approximation.valueOf(result.param("counter")) + ", error in bursts, %",
                            result -> 100 * result.error())
                    .where(result -> result.param("course").equals("BURSTS")
                            && List.of("BOUNDED_EVENT_WINDOW", "TEN_BUCKETS", "TWO_COUNTERS")
                                    .contains(result.param("counter")))),
    APPROXIMATION_ERROR(
            "approximation",
            "events in the window",
            result -> result.numberOf("events"),
            Column.of(
                            result -> Approximation.valueOf(result.param("counter")) + ", "
                                    + Course.valueOf(result.param("course")) + ", %",
                            result -> 100 * result.error())
                    .where(result -> !result.param("counter").equals("EVENT_WINDOW"))),
    GROWTH_RECORD("growth", "events in the window", result -> result.numberOf("events"), growth("record")),
    GROWTH_COUNT("growth", "events in the window", result -> result.numberOf("events"), growth("count")),
    GROWTH_EXPIRY(
            "growth-expiry",
            "events",
            result -> result.numberOf("events"),
            Column.times(result -> window(result) + ", µs")),
    CROWD(
            "crowd",
            "traffic | threads | window",
            result ->
                    Labels.ofTraffic(result) + " | " + CrowdTables.threads(result) + " | " + CrowdTables.window(result),
            CrowdTables::crowds,
            CrowdTables.figures()),
    CROWD_200(
            "crowd",
            "traffic of 200 threads | window",
            result -> Labels.ofTraffic(result) + " | " + CrowdTables.window(result),
            results -> CrowdTables.crowds(results, 200),
            CrowdTables.figures()),
    CROWD_IN_SHORT(
            "crowd",
            "traffic of 200 threads | window",
            result -> Labels.ofTraffic(result) + " | " + CrowdTables.window(result),
            results -> CrowdTables.inShort(CrowdTables.crowds(results, 200)),
            CrowdTables.inShort()),
    CROWD_RATIOS(
            "crowd",
            "traffic | threads",
            result -> Labels.ofTraffic(result) + " | " + CrowdTables.threads(result),
            results -> CrowdRatios.of(CrowdTables.crowds(results)),
            CrowdTables.ratios()),
    LATE_SOURCES(
            "crowd",
            "sources",
            result -> result.param("sources"),
            results -> CrowdTables.named(results, LateSources.NAME),
            Column.times(result -> window(result) + ", ns"),
            Column.of(
                    result -> window(result) + ", recorded, %",
                    result -> 100 * result.secondary().get("recorded").median())),
    THREAD_IDS(
            "crowd",
            "ids of two threads",
            result -> result.param("apart").equals("0") ? "equal modulo 64" : "not equal",
            results -> CrowdTables.named(results, ThreadIds.NAME),
            Column.times(result -> "record, ns"),
            Column.rounded(
                    result -> "least, ns",
                    result -> result.secondary().get("least").least()),
            Column.rounded(
                    result -> "most, ns",
                    result -> result.secondary().get("most").most()));

    private final String file;
    private final String corner;
    private final Function<Measured, String> row;
    private final UnaryOperator<List<Measured>> selection;
    private final List<Column> columns;

    TableOf(String file, String corner, Function<Measured, String> row, Column... columns) {
        this(file, corner, row, results -> results, columns);
    }

    /** For a table of some of the results in the file, or of what is derived from them. */
    TableOf(
            String file,
            String corner,
            Function<Measured, String> row,
            UnaryOperator<List<Measured>> selection,
            Column... columns) {
        this.file = file;
        this.corner = corner;
        this.row = row;
        this.selection = selection;
        this.columns = List.of(columns);
    }

    /** Returns the JDKs of which there are results in {@code dir}, the oldest first. */
    List<Integer> jdks(Path dir) throws IOException {
        return Measured.jdks(dir, file);
    }

    /** Returns the table of the results in {@code dir}, one JDK after the other. */
    MarkdownTable read(Path dir) throws IOException {
        MarkdownTable table = new MarkdownTable("JDK | " + corner);
        for (int jdk : jdks(dir)) {
            put(table, jdk + " | ", dir, jdk);
        }
        return table;
    }

    /** Returns the table of the results of one JDK in {@code dir}. */
    MarkdownTable read(Path dir, int jdk) throws IOException {
        MarkdownTable table = new MarkdownTable(corner);
        put(table, "", dir, jdk);
        return table;
    }

    private void put(MarkdownTable table, String beforeRow, Path dir, int jdk) throws IOException {
        List<Measured> results = Measured.read(dir.resolve(file + "-jdk" + jdk + ".json"));
        for (Measured result : selection.apply(results)) {
            columns.stream()
                    .filter(column -> column.takes().test(result))
                    .forEach(column -> table.put(
                            beforeRow + row.apply(result),
                            column.title().apply(result),
                            column.cell().apply(result)));
        }
    }

    /** Returns what becomes of nearly all calls for one permit. */
    private static String outcome(Measured result) {
        return result.number("limit") < 1_000_000 ? "refused" : "granted";
    }

    private static Column growth(String method) {
        return Column.times(result -> window(result) + ", ns")
                .where(result -> result.method().equals(method));
    }

    private static String window(Measured result) {
        return ExactWindow.valueOf(result.param("window")).toString();
    }

    private static double allocated(Measured result) {
        return result.secondary().get("gc.alloc.rate.norm").median();
    }
}
