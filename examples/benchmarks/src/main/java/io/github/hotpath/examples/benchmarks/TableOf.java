package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** What tables there are: the file that each is made of, and which row and column a result goes to. */
enum TableOf {
    RECORD(
            "record",
            "events in the window",
            result ->
                    count(result, "events") + (result.param("before").equals("nothing") ? "" : ", after small windows"),
            column(result -> result.method() + ", ns", Measured::median),
            column(
                    result -> List.of("eventWindow", "trimmedDeque").contains(result.method()),
                    result -> result.method() + ", bytes allocated",
                    TableOf::allocated)),
    CONCURRENT(
            "concurrent",
            "counter",
            result -> Counter.valueOf(result.param("counter")).toString(),
            column(result -> result.method() + threads(result) + ", ns", Measured::median),
            column(
                    result -> result.threads() == 1,
                    result -> result.method() + ", bytes allocated",
                    TableOf::allocated)),
    LIMITER(
            "limiter",
            "limiter",
            result -> Limiter.valueOf(result.param("limiter")).toString(),
            column(
                    result -> (result.param("limit").equals("100") ? "refused" : "admitted") + threads(result) + ", ns",
                    Measured::median)),
    COUNT(
            "count",
            "events in the window",
            result -> count(result, "events"),
            column(result -> result.method() + ", ns", Measured::median)),
    EXPIRY(
            "expiry",
            "window",
            TableOf::window,
            column(
                    result -> (result.param("left").equals("0") ? "all" : "all but ten") + " of "
                            + count(result, "events") + ", µs",
                    Measured::median)),
    GROWING(
            "growing",
            "window",
            TableOf::window,
            column(
                    result -> "slowest record, µs",
                    result -> result.secondary().get("nanos").least() / 1000),
            column(
                    result -> count(result, "events") + " records, ms",
                    result -> result.primary().least())),
    MEMORY(
            "memory",
            "window",
            TableOf::window,
            column(
                    result -> result.method().equals("filled"),
                    result -> "per event, of " + count(result, "events") + ", bytes",
                    result -> bytes(result) / Long.parseLong(result.param("events"))),
            column(
                    result -> result.method().equals("expired"),
                    result -> "kept when they have expired, KiB",
                    result -> bytes(result) / 1024)),
    SMALL_WINDOWS(
            "small-windows",
            "window",
            TableOf::window,
            column(
                    result -> "each of " + count(result, "windows") + ", after " + result.param("records")
                            + " records, bytes",
                    result -> bytes(result) / Long.parseLong(result.param("windows")))),
    DIRS("dirs", "way", Measured::method, column(result -> "exists, ns", Measured::median)),
    MISSING(
            "missing",
            "way",
            Measured::method,
            column(result -> "depth " + result.param("depth") + ", µs", Measured::median)),
    WITH_PARENT("with-parent", "way", Measured::method, column(result -> "ns", Measured::median)),
    LIST("list", "way", Measured::method, column(result -> count(result, "files") + " files, µs", Measured::median)),
    GROWTH_RECORD("growth", "events in the window", result -> count(result, "events"), growth("record")),
    GROWTH_COUNT("growth", "events in the window", result -> count(result, "events"), growth("count")),
    GROWTH_EXPIRY(
            "expiry-growth",
            "events",
            result -> count(result, "events"),
            column(result -> window(result) + ", µs", Measured::median));

    private static final List<String> JDKS = List.of("17", "25");

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
        for (String jdk : JDKS) {
            Path results = dir.resolve(file + "-jdk" + jdk + ".json");
            for (Measured result : Files.exists(results) ? Measured.read(results) : List.<Measured>of()) {
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

    private static String count(Measured result, String param) {
        return String.format(Locale.ROOT, "%,d", Long.parseLong(result.param(param)));
    }

    private static String threads(Measured result) {
        return result.threads() == 1 ? ", one thread" : ", two threads";
    }

    private static double allocated(Measured result) {
        return result.secondary().get("gc.alloc.rate.norm").median();
    }

    private static double bytes(Measured result) {
        return result.secondary().get("bytes").median();
    }

    /** The columns of one kind: which results have a value there, of which title, and what it is. */
    private record Column(
            Predicate<Measured> takes, Function<Measured, String> title, ToDoubleFunction<Measured> value) {}
}
