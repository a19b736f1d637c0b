package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** What tables there are: the file that each is made of, and which row and column a result goes to. */
enum TableOf {
    RECORD(
            "record",
            "events in the window",
            result -> result.numberOf("events")
                    + (result.param("before").equals("nothing") ? "" : ", after small windows"),
            column(result -> result.method() + ", ns", Measured::median),
            column(
                    result -> List.of("eventWindow", "trimmedDeque").contains(result.method()),
                    result -> result.method() + ", bytes allocated",
                    TableOf::allocated)),
    CONCURRENT(
            "concurrent",
            "counter",
            Measured::counter,
            column(result -> result.method() + ", " + result.inThreads() + ", ns", Measured::median),
            column(
                    result -> result.threads() == 1,
                    result -> result.method() + ", bytes allocated",
                    TableOf::allocated)),
    LIMITER(
            "limiter",
            "limiter",
            result -> Limiter.valueOf(result.param("limiter")).toString(),
            column(
                    result -> (result.number("limit") < 1_000_000 ? "refused, " : "admitted, ") + result.inThreads()
                            + ", ns",
                    Measured::median)),
    COUNT(
            "count",
            "events in the window",
            result -> result.numberOf("events"),
            column(result -> result.method() + ", ns", Measured::median)),
    EXPIRY(
            "expiry",
            "window",
            TableOf::window,
            column(
                    result -> (result.param("left").equals("0") ? "all" : "all but ten") + " of "
                            + result.numberOf("events") + ", µs",
                    Measured::median)),
    SLOWEST(
            "slowest",
            "window",
            result -> result.method().equals("clockAlone") ? "none, the clock alone" : window(result),
            column(
                    result -> "slowest record, µs",
                    result -> result.secondary().get("nanos").least() / 1000),
            column(
                    result -> result.numberOf("events") + " records, ms",
                    result -> result.primary().least())),
    MEMORY(
            "memory",
            "window",
            TableOf::window,
            column(
                    result -> result.method().equals("filled"),
                    result -> "per event, of " + result.numberOf("events") + ", bytes",
                    result -> result.bytes() / result.number("events")),
            column(
                    result -> result.method().equals("expired"),
                    result -> "kept when they have expired, KiB",
                    result -> result.bytes() / 1024)),
    SMALL_WINDOWS(
            "small-windows",
            "window",
            TableOf::window,
            column(
                    result -> "each of " + result.numberOf("windows") + ", after " + result.param("records")
                            + " records, bytes",
                    result -> result.bytes() / result.number("windows"))),
    COMPACT_FORM(
            "compact-form",
            "1,000 events",
            result -> CompactFormBenchmark.Times.valueOf(result.param("times"))
                    + (result.method().endsWith("Longs") ? ", as longs" : ""),
            column(
                    result -> result.method().startsWith("write"),
                    result -> "bytes an event",
                    result -> result.bytes() / CompactFormBenchmark.EVENTS),
            column(result -> result.method().startsWith("write"), result -> "write, ns an event", Measured::median),
            column(result -> result.method().startsWith("read"), result -> "read, ns an event", Measured::median)),
    DIRS("dirs", "way", Measured::method, column(result -> "exists, ns", Measured::median)),
    MISSING(
            "missing",
            "way",
            Measured::method,
            column(result -> "depth " + result.param("depth") + ", µs", Measured::median)),
    WITH_PARENT("with-parent", "way", Measured::method, column(result -> "ns", Measured::median)),
    LIST("list", "way", Measured::method, column(result -> result.numberOf("files") + " files, µs", Measured::median)),
    GROWTH_RECORD("growth", "events in the window", result -> result.numberOf("events"), growth("record")),
    GROWTH_COUNT("growth", "events in the window", result -> result.numberOf("events"), growth("count")),
    GROWTH_EXPIRY(
            "growth-expiry",
            "events",
            result -> result.numberOf("events"),
            column(result -> window(result) + ", µs", Measured::median));

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

    /** Returns the table of the results in {@code dir}, one JDK after the other. */
    MarkdownTable read(Path dir) throws IOException {
        MarkdownTable table = new MarkdownTable("JDK | " + corner);
        for (int jdk : Measured.jdks(dir, file)) {
            for (Measured result : Measured.read(dir.resolve(file + "-jdk" + jdk + ".json"))) {
                columns.stream()
                        .filter(column -> column.takes.test(result))
                        .forEach(column -> table.put(
                                jdk + " | " + row.apply(result),
                                column.title.apply(result),
                                column.value.applyAsDouble(result)));
            }
        }
        return table;
    }

    private static Column growth(String method) {
        return column(result -> result.method().equals(method), result -> window(result) + ", ns", Measured::median);
    }

    private static Column column(Function<Measured, String> title, ToDoubleFunction<Measured> value) {
        return new Column(result -> true, title, value);
    }

    private static Column column(
            Predicate<Measured> takes, Function<Measured, String> title, ToDoubleFunction<Measured> value) {
        return new Column(takes, title, value);
    }

    private static String window(Measured result) {
        return ExactWindow.valueOf(result.param("window")).toString();
    }

    private static double allocated(Measured result) {
        return result.secondary().get("gc.alloc.rate.norm").median();
    }

    /** The columns of one kind: which results have a value there, of which title, and what it is. */
    private record Column(
            Predicate<Measured> takes, Function<Measured, String> title, ToDoubleFunction<Measured> value) {}
}
