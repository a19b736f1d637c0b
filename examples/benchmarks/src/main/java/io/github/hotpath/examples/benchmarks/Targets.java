package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** What the project promises itself that calls cost, at most, and what they cost in the results of one JDK. */
final class Targets {
    /** What "as much as" means: figures of one run differ by as much without a reason. */
    private static final double EVEN = 1.25;

    /** Parts of a byte, which chunks make that come and go with the traffic. */
    private static final double NOTHING = 1;

    /** What the call through which a limiter is measured takes beside it. */
    private static final int ADAPTER_BYTES = 16;

    private static final String CROWD = "any call, on 20 or 200 threads | ";

    /** The tables, in their order. */
    private static final List<String> PARTS = List.of("windows", "threads", "limiters", "others");

    private final Path results;
    private final int jdk;
    private final List<Target> targets = new ArrayList<>();

    private Targets(Path results, int jdk, String part) throws IOException {
        this.results = results;
        this.jdk = jdk;
        switch (part) {
            case "windows" -> windows();
            case "threads" -> threads();
            case "limiters" -> limiters();
            case "others" -> others();
            default -> throw new IllegalArgumentException("part: " + part + " (expected: one of " + PARTS + ")");
        }
    }

    /**
     * A target.
     *
     * @param what the call or object, and its figure, with a bar between
     * @param value what was measured: NaN if it was not
     */
    private record Target(String what, double value, double most) {
        String shown() {
            return Double.isNaN(value) ? "–" : shown(value);
        }

        static String shown(double value) {
            return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%,.0f", value);
        }

        boolean isMissed() {
            return value > most;
        }
    }

    /** Returns a part's table, of all JDKs of which there are results. */
    static MarkdownTable table(Path results, String part) throws IOException {
        MarkdownTable table = new MarkdownTable("call or object | figure");
        List<Integer> jdks = new ArrayList<>(Measured.jdks(results, "record"));
        jdks.sort(Comparator.reverseOrder());
        for (int jdk : jdks) {
            for (Target target : new Targets(results, jdk, part).targets) {
                table.put(target.what, "at most", Target.shown(target.most));
                table.put(target.what, "JDK " + jdk, target.isMissed() ? "**" + target.shown() + "**" : target.shown());
            }
        }
        return table;
    }

    /** Returns one line for each target that is missed. */
    static List<String> missed(Path results) throws IOException {
        List<String> missed = new ArrayList<>();
        for (int jdk : Measured.jdks(results, "record")) {
            for (String part : PARTS) {
                for (Target target : new Targets(results, jdk, part).targets) {
                    if (target.isMissed()) {
                        missed.add("JDK " + jdk + ": " + target.what + ": " + target.shown() + ", at most "
                                + Target.shown(target.most));
                    }
                }
            }
        }
        return missed;
    }

    private void windows() throws IOException {
        List<Measured> record = read("record");
        String[] sizes = {"100", "10000", "1000000"};
        add(
                "`EventWindow.record` | time / bare ring, the worst of three sizes",
                1.7,
                Stream.of(sizes)
                        .mapToDouble(size ->
                                ratio(record, m -> is(m, "events", size), byMethod("eventWindow"), byMethod("ring"))));
        add(
                "`EventWindow.record` | time / `ArrayDeque`, the worst of three sizes",
                0.55,
                Stream.of(sizes)
                        .mapToDouble(size -> ratio(
                                record,
                                m -> is(m, "events", size),
                                byMethod("eventWindow"),
                                byMethod("trimmedDeque"))));
        add(
                "`EventWindow.record` | bytes allocated",
                NOTHING,
                all(record, byMethod("eventWindow"), Measured::allocated));
        List<Measured> count = read("count");
        add(
                "`EventWindow.count` | time of a million events / of a hundred",
                EVEN,
                ratio(count, byMethod("whole"), m -> is(m, "events", "1000000"), m -> is(m, "events", "100")));
        List<Measured> expiry = read("expiry");
        for (String left : List.of("0", "10")) {
            add(
                    "`EventWindow.record` that expires all" + (left.equals("0") ? "" : " but ten")
                            + " of ten million | time / `ArrayDeque`",
                    0.02,
                    ratio(
                            expiry,
                            m -> is(m, "left", left),
                            of("window", "EVENT_WINDOW"),
                            of("window", "TRIMMED_DEQUE")));
        }
        Predicate<Measured> exact = of("window", "EVENT_WINDOW");
        add(
                "`EventWindow` of ten million events | bytes an event",
                8.2,
                all(read("memory"), exact.and(byMethod("filled")), m -> m.bytes() / m.number("events")));
        add(
                "`EventWindow` whose ten million events have expired | KiB",
                16,
                all(read("memory"), exact.and(byMethod("expired")), m -> m.bytes() / 1024));
        for (boolean isShared : List.of(false, true)) {
            Predicate<Measured> window = of("window", isShared ? "CONCURRENT_EVENT_WINDOW" : "EVENT_WINDOW");
            String name = isShared ? "`ConcurrentEventWindow`" : "`EventWindow`";
            ToDoubleFunction<Measured> bytes = m -> m.bytes() / m.number("windows");
            List<Measured> small = read("small-windows");
            add(
                    name + " of three events | bytes",
                    isShared ? 260 : 200,
                    all(small, window.and(of("records", "3")), bytes));
            add(
                    name + " of three events left of many | bytes",
                    400,
                    all(small, window.and(m -> m.number("records") > 3), bytes));
        }
        List<Measured> shared = read("concurrent");
        for (int threads : new int[] {1, 2}) {
            add(
                    "`ConcurrentEventWindow.record`" + on(threads) + " | time / clock",
                    1.6,
                    ratio(
                            shared,
                            byMethod("record").and(m -> m.threads() == threads),
                            of("counter", "CONCURRENT_EVENT_WINDOW"),
                            of("counter", "CLOCK")));
        }
        add(
                "`ConcurrentEventWindow.record`" + on(2) + " | slowest / fastest JVM",
                1.5,
                all(
                        shared,
                        byMethod("record").and(m -> m.threads() == 2).and(of("counter", "CONCURRENT_EVENT_WINDOW")),
                        m -> m.primary().forks().get(m.primary().forks().size() - 1)
                                / m.primary().forks().get(0)));
    }

    private void threads() throws IOException {
        add(CROWD + "median / with a lock or none", 3, crowd("p50"));
        add(CROWD + "99.9% / with a lock or none", 3, crowd("p99.9"));
        add(CROWD + "slowest / with a lock or none", 3, crowd("worst"));
    }

    /**
     * Returns the ratio of each case of ours to the same one under a lock, or to what takes none if that takes longer:
     * threads that never block wait for their turns on the processors, whatever they call.
     */
    private DoubleStream crowd(String figure) throws IOException {
        List<Measured> crowd = read("crowd");
        return crowd.stream()
                .filter(m -> SharedWindow.valueOf(m.param("window")).isOurs())
                .mapToDouble(ours -> ours.figure(figure)
                        / crowd.stream()
                                .filter(m ->
                                        !SharedWindow.valueOf(m.param("window")).isOurs()
                                                && m.method().equals(ours.method())
                                                && TableOf.threads(m).equals(TableOf.threads(ours)))
                                .mapToDouble(m -> m.figure(figure))
                                .max()
                                .orElse(Double.NaN));
    }

    private void limiters() throws IOException {
        List<Measured> limiter = read("limiter");
        List<Measured> kinds = read("limiter-kinds");
        Predicate<Measured> ours = of("limiter", "SLIDING_WINDOW_LIMITER");
        Predicate<Measured> clock = of("limiter", "CLOCK");
        for (int threads : new int[] {1, 2}) {
            Predicate<Measured> refused =
                    m -> m.threads() == threads && m.outcome().equals("refused");
            add("refused" + on(threads) + " | time / clock", 1.15, ratio(limiter, refused, ours, clock));
            add(
                    "refused with its delay" + on(threads) + " | time / clock",
                    1.15,
                    ratio(kinds, refused, of("limiter", "DELAY"), clock));
        }
        Predicate<Measured> granted = m -> m.threads() == 1 && m.outcome().equals("granted");
        Predicate<Measured> grantedToTwo = m -> m.threads() == 2 && m.outcome().equals("granted");
        add("granted" + on(1) + " | time / clock", 2, ratio(limiter, granted, ours, clock));
        add(
                "granted" + on(2) + " | time / the fastest other limiter",
                1,
                median(limiter, grantedToTwo.and(ours))
                        / limiter.stream()
                                .filter(grantedToTwo.and(ours.negate()).and(clock.negate()))
                                .mapToDouble(Measured::median)
                                .min()
                                .orElse(Double.NaN));
        add(
                "granted under two limits | time / under one",
                1.3,
                ratio(kinds, granted, of("limiter", "TWO_LIMITS"), ours));
        for (String method : List.of("granted", "reserved")) {
            add(
                    method + " with a million permits | time / with a hundred",
                    EVEN,
                    ratio(
                            read("limiter-size"),
                            byMethod(method),
                            m -> is(m, "events", "1000000"),
                            m -> is(m, "events", "100")));
        }
        List<Measured> keyed = read("keyed");
        add(
                "granted to a key | ns more than one limiter",
                12,
                median(keyed, granted.and(of("keyed", "KEYED_LIMITER")))
                        - median(keyed, granted.and(of("keyed", "ONE_LIMITER"))));
        add(
                "granted by three limiters together | time / by one",
                3,
                ratio(read("limiter-together"), granted, of("together", "TOGETHER"), of("together", "SERVICE_ALONE")));
        add(
                "`tryAcquire` | bytes allocated",
                NOTHING,
                all(limiter, ours.and(m -> m.threads() == 1), Measured::allocated));
        add(
                "`tryAcquireOrDelay` | bytes allocated",
                NOTHING,
                all(kinds, of("limiter", "DELAY").and(m -> m.threads() == 1), Measured::allocated));
        add(
                "a limiter with three permits, and its `Limit` | bytes",
                272,
                all(read("small-limiters"), ours, m -> m.bytes() / m.number("limiters") - ADAPTER_BYTES));
        add(
                "a key with three permits | bytes",
                350,
                all(read("live-keys"), of("keyed", "KEYED_LIMITER"), m -> m.bytes() / m.number("keys")));
    }

    private void others() throws IOException {
        List<Measured> bounded = read("bounded-record");
        add("`BoundedEventWindow.record` | ns", 25, all(bounded, byMethod("record"), Measured::median));
        add(
                "`BoundedEventWindow.record` | bytes allocated",
                NOTHING,
                all(bounded, byMethod("record"), Measured::allocated));
        add(
                "`BoundedEventWindow` of ten million events, error of 1% | bytes",
                40_000,
                all(read("approximation"), of("allowed", "0.01").and(of("events", "10000000")), Measured::bytes));
        for (String method : List.of("write", "read")) {
            add(
                    "compact form, " + method + " | ns an event",
                    15,
                    all(read("compact-form"), byMethod(method), Measured::median));
        }
        List<Measured> dirs = read("dirs");
        add(
                "`Dirs.ensure` of an existing directory | time / `exists`",
                1.2,
                ratio(dirs, m -> true, byMethod("ensure"), byMethod("exists")));
        add(
                "`Dirs.ensure` of an existing directory | time / `createDirectories`",
                0.25,
                ratio(dirs, m -> true, byMethod("ensure"), byMethod("createDirectories")));
        List<Measured> missing = read("missing");
        add(
                "`Dirs.ensure` of two or five missing directories | time / `createDirectories`",
                1.05,
                Stream.of("2", "5")
                        .mapToDouble(depth ->
                                ratio(missing, of("depth", depth), byMethod("ensure"), byMethod("createDirectories"))));
    }

    private List<Measured> read(String name) throws IOException {
        return Measured.read(results, name, jdk);
    }

    private void add(String what, double most, double value) {
        targets.add(new Target(what, value, most));
    }

    private void add(String what, double most, DoubleStream values) {
        add(what, most, values.filter(value -> !Double.isNaN(value)).max().orElse(Double.NaN));
    }

    private static DoubleStream all(
            List<Measured> results, Predicate<Measured> which, ToDoubleFunction<Measured> value) {
        return results.stream().filter(which).mapToDouble(value);
    }

    private static double ratio(
            List<Measured> results, Predicate<Measured> which, Predicate<Measured> one, Predicate<Measured> other) {
        return median(results, which.and(one)) / median(results, which.and(other));
    }

    private static double median(List<Measured> results, Predicate<Measured> which) {
        return all(results, which, Measured::median).findFirst().orElse(Double.NaN);
    }

    private static Predicate<Measured> byMethod(String method) {
        return m -> m.method().equals(method);
    }

    private static Predicate<Measured> of(String param, String value) {
        return m -> is(m, param, value);
    }

    private static boolean is(Measured m, String param, String value) {
        return Objects.equals(m.param(param), value);
    }

    private static String on(int threads) {
        return threads == 1 ? ", one thread" : ", two threads";
    }
}
