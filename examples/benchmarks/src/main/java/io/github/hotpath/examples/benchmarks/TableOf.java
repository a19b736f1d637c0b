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
            Column.of(result -> result.method() + ", ns", Measured::median),
            new Column(
                    result -> List.of("eventWindow", "trimmedDeque").contains(result.method()),
                    result -> result.method() + ", bytes allocated",
                    TableOf::allocated)),
    CONCURRENT(
            "concurrent",
            "counter",
            Measured::counter,
            Column.of(result -> result.method() + ", " + result.inThreads() + ", ns", Measured::median),
            new Column(
                    result -> result.threads() == 1,
                    result -> result.method() + ", bytes allocated",
                    TableOf::allocated)),
    LIMITER(
            "limiter",
            "limiter",
            Measured::limiter,
            new Column(
                    result -> result.threads() <= 2,
                    result -> result.refusedOrGranted() + ", " + result.inThreads() + ", ns",
                    Measured::median),
            new Column(
                    result -> result.threads() == 1,
                    result -> result.refusedOrGranted() + ", bytes allocated",
                    TableOf::allocated)),
    LIMITER_PERMITS(
            "limiter-permits",
            "limiter",
            Measured::limiter,
            Column.of(
                    result -> result.refusedOrGranted() + (result.number("limit") % 10 == 0 ? ", " : ", five left, ")
                            + result.inThreads() + ", ns",
                    Measured::median)),
    LIMITER_KINDS(
            "limiter-kinds",
            "limiter",
            Measured::limiter,
            Column.of(result -> result.refusedOrGranted() + ", " + result.inThreads() + ", ns", Measured::median)),
    LIMITER_TOGETHER(
            "limiter-together",
            "asked",
            result -> Together.valueOf(result.param("together")).toString(),
            Column.of(result -> outcome(result) + ", " + result.inThreads() + ", ns", Measured::median),
            new Column(
                    result -> result.threads() == 1,
                    result -> outcome(result) + ", bytes allocated",
                    TableOf::allocated)),
    LIMITER_SIZE(
            "limiter-size",
            "permits in the window",
            result -> result.numberOf("events"),
            Column.of(result -> result.method() + ", ns", Measured::median),
            Column.of(result -> result.method() + ", bytes allocated", TableOf::allocated)),
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
            new Column(
                    result -> result.threads() <= 2,
                    result -> outcome(result) + ", " + result.inThreads() + ", ns",
                    Measured::median)),
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
            Column.of(
                    result -> "each of " + result.numberOf("keys") + ", ns",
                    result -> 1e6 * result.median() / result.number("keys"))),
    COUNT(
            "count",
            "events in the window",
            result -> result.numberOf("events"),
            Column.of(result -> result.method() + ", ns", Measured::median)),
    EXPIRY(
            "expiry",
            "window",
            TableOf::window,
            Column.of(
                    result -> (result.param("left").equals("0") ? "all" : "all but ten") + " of "
                            + result.numberOf("events") + ", µs",
                    Measured::median)),
    SLOWEST(
            "slowest",
            "window",
            result -> result.method().equals("clockAlone") ? "none, the clock alone" : window(result),
            Column.of(
                    result -> "slowest record, µs",
                    result -> result.secondary().get("nanos").least() / 1000),
            Column.of(
                    result -> result.numberOf("events") + " records, ms",
                    result -> result.primary().least())),
    MEMORY(
            "memory",
            "window",
            TableOf::window,
            new Column(
                    result -> result.method().equals("filled"),
                    result -> "per event, of " + result.numberOf("events") + ", bytes",
                    result -> result.bytes() / result.number("events")),
            new Column(
                    result -> result.method().equals("expired"),
                    result -> "kept when they have expired, KiB",
                    result -> result.bytes() / 1024)),
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
            new Column(
                    result -> result.method().startsWith("write"),
                    result -> "bytes an event",
                    result -> result.bytes() / CompactFormBenchmark.EVENTS),
            new Column(result -> result.method().startsWith("write"), result -> "write, ns an event", Measured::median),
            new Column(result -> result.method().startsWith("read"), result -> "read, ns an event", Measured::median)),
    STREAM(
            "stream",
            "window, keys",
            result -> result.param("seconds") + " s, " + result.numberOf("keys"),
            Column.of(result -> result.param("way") + ", events a second", Measured::median)),
    FLEET(
            "fleet",
            "engine, clients",
            result -> result.param("engine") + ", " + result.numberOf("clients"),
            new Column(
                    result -> result.method().equals("granted"),
                    result -> "granted in a second, keys: " + result.numberOf("keys"),
                    Measured::median),
            new Column(result -> result.method().equals("refused"), result -> "refused locally, ns", Measured::median)),
    DIRS("dirs", "way", Measured::method, Column.of(result -> "exists, ns", Measured::median)),
    MISSING(
            "missing",
            "way",
            Measured::method,
            Column.of(result -> "depth " + result.param("depth") + ", µs", Measured::median)),
    WITH_PARENT("with-parent", "way", Measured::method, Column.of(result -> "ns", Measured::median)),
    LIST(
            "list",
            "way",
            Measured::method,
            Column.of(result -> result.numberOf("files") + " files, µs", Measured::median)),
    BOUNDED_RECORD(
            "bounded-record",
            "events in the window",
            result -> result.numberOf("events"),
            Column.of(result -> result.method() + ", ns", Measured::median),
            new Column(
                    result -> result.method().equals("record"),
                    result -> result.method() + ", bytes allocated",
                    TableOf::allocated)),
    APPROXIMATION_MEMORY(
            "approximation",
            "events in the window",
            result -> result.numberOf("events"),
            new Column(
                    result -> result.param("course").equals("STEADY"),
                    result -> Approximation.valueOf(result.param("counter")) + ", bytes",
                    Measured::bytes)),
    APPROXIMATION_ERROR(
            "approximation",
            "events in the window",
            result -> result.numberOf("events"),
            new Column(
                    result -> !result.param("counter").equals("EVENT_WINDOW"),
                    result -> Approximation.valueOf(result.param("counter")) + ", "
                            + Course.valueOf(result.param("course")) + ", %",
                    result -> 100 * result.error())),
    GROWTH_RECORD("growth", "events in the window", result -> result.numberOf("events"), growth("record")),
    GROWTH_COUNT("growth", "events in the window", result -> result.numberOf("events"), growth("count")),
    GROWTH_EXPIRY(
            "growth-expiry",
            "events",
            result -> result.numberOf("events"),
            Column.of(result -> window(result) + ", µs", Measured::median)),
    CROWD(
            "crowd",
            "traffic | threads | window",
            result -> result.method() + " | " + CrowdTables.threads(result) + " | " + CrowdTables.window(result),
            CrowdTables::crowds,
            CrowdTables.figures()),
    CROWD_200(
            "crowd",
            "traffic of 200 threads | window",
            result -> result.method() + " | " + CrowdTables.window(result),
            results -> CrowdTables.crowds(results, 200),
            CrowdTables.figures()),
    CROWD_RATIOS(
            "crowd",
            "traffic | threads",
            result -> result.method() + " | " + CrowdTables.threads(result),
            results -> CrowdRatios.of(CrowdTables.crowds(results)),
            CrowdTables.ratios()),
    LATE_SOURCES(
            "crowd",
            "sources",
            result -> result.param("sources"),
            results -> CrowdTables.named(results, LateSources.NAME),
            Column.of(result -> window(result) + ", ns", Measured::median),
            Column.of(
                    result -> window(result) + ", recorded, %",
                    result -> 100 * result.secondary().get("recorded").median())),
    THREAD_IDS(
            "crowd",
            "ids of two threads",
            result -> result.param("apart").equals("0") ? "equal modulo 64" : "not equal",
            results -> CrowdTables.named(results, ThreadIds.NAME),
            Column.of(result -> "record, ns", Measured::median),
            Column.of(
                    result -> "least, ns",
                    result -> result.secondary().get("least").least()),
            Column.of(
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

    /** Returns the table of the results in {@code dir}, one JDK after the other. */
    MarkdownTable read(Path dir) throws IOException {
        MarkdownTable table = new MarkdownTable("JDK | " + corner);
        for (int jdk : Measured.jdks(dir, file)) {
            List<Measured> results = Measured.read(dir.resolve(file + "-jdk" + jdk + ".json"));
            for (Measured result : selection.apply(results)) {
                columns.stream()
                        .filter(column -> column.takes().test(result))
                        .forEach(column -> table.put(
                                jdk + " | " + row.apply(result),
                                column.title().apply(result),
                                column.value().applyAsDouble(result)));
            }
        }
        return table;
    }

    /** Returns what becomes of nearly all calls for one permit. */
    private static String outcome(Measured result) {
        return result.number("limit") < 1_000_000 ? "refused" : "granted";
    }

    private static Column growth(String method) {
        return new Column(
                result -> result.method().equals(method), result -> window(result) + ", ns", Measured::median);
    }

    private static String window(Measured result) {
        return ExactWindow.valueOf(result.param("window")).toString();
    }

    private static double allocated(Measured result) {
        return result.secondary().get("gc.alloc.rate.norm").median();
    }
}
