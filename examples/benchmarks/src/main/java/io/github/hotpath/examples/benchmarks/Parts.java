package io.github.hotpath.examples.benchmarks;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** What a {@link Suite} runs, and how long each. */
final class Parts {
    /** Where Linux keeps a file system in memory. */
    private static final Path MEMORY = Path.of("/dev/shm");

    /** Whose growth is shown. */
    private static final Set<ExactWindow> GROWING =
            EnumSet.complementOf(EnumSet.of(ExactWindow.JETTY, ExactWindow.SMALLRYE));

    /** Whose expiry is shown. */
    private static final Set<ExactWindow> EXPIRING =
            EnumSet.complementOf(EnumSet.of(ExactWindow.JETTY, ExactWindow.SMALLRYE, ExactWindow.SWEPT_DEQUE));

    private final boolean brief;
    private final PrintStream out;

    /** A brief run has fewer forks, iterations and sizes. */
    Parts(boolean brief, PrintStream out) {
        this.brief = brief;
        this.out = out;
    }

    /** Returns all parts; prints which rivals are left out of which, and why. */
    List<Part> list() {
        return List.of(
                new Part("record", record(), harnessAndSweep()),
                new Part("concurrent", threads(1, "ConcurrentBenchmark"), threads(2, "ConcurrentBenchmark")),
                new Part("limiter", limiters(1, Limiter.PLAIN), limiters(2, Limiter.PLAIN)),
                new Part("limiter-permits", manyPermits(1), manyPermits(2)),
                new Part("limiter-kinds", kinds()),
                new Part("limiter-size", averages("LimiterSizeBenchmark", 3, options -> options.addProfiler("gc"))),
                new Part("limiter-together", together(1), together(2)),
                new Part("count", averages("CountBenchmark", 3, options -> options)),
                new Part("expiry", expiry()),
                new Part("slowest", singles("SlowestRecordBenchmark", "events", "1000000")),
                new Part("memory", singles("MemoryBenchmark", "events", "1000000")),
                new Part("small-windows", singles("SmallWindowsBenchmark", "windows", "100000")),
                new Part("compact-form", averages("CompactFormBenchmark", 3, options -> options)),
                new Part("small-limiters", singles("SmallLimitersBenchmark", "limiters", "10000")),
                new Part("keyed", keyedCalls(1), keyedCalls(2)),
                new Part("live-keys", singles("LiveKeysBenchmark", "keys", "100000")),
                new Part("passing-keys", passingKeys()),
                new Part("dirs", averages("[.]DirsBenchmark", 3, options -> options)),
                new Part("missing", missing()),
                new Part("with-parent", averages("WithParentBenchmark", 3, options -> options)),
                new Part("list", averages("ListBenchmark", 3, options -> ifBrief(options, "files", "900"))),
                new Part("bounded-record", bounded()),
                new Part("approximation", approximations()),
                new Part("growth", growth("GrowthBenchmark", GROWING, options -> options)),
                new Part("growth-expiry", growthOfExpiry()));
    }

    private Options record() {
        return averages(
                "RecordBenchmark.(eventWindow|ring|trimmedDeque)",
                3,
                options -> ifBrief(options.addProfiler("gc"), "before", "nothing"));
    }

    private Options harnessAndSweep() {
        out.println("left out of record: the sweep above 10,000 events: it reads every event each time");
        return averages(
                "RecordBenchmark.(harness|sweptDeque)",
                3,
                options -> options.addProfiler("gc").param("before", "nothing").param("events", "100", "10000"));
    }

    /** Two threads disturb each other in one fork more than in the next. */
    private Options threads(int threads, String benchmark) {
        return averages(
                benchmark,
                threads == 1 ? 3 : 5,
                options -> options.threads(threads).addProfiler("gc"));
    }

    /** Longer than the limiters' interval, but not much: there are many of them. */
    private Options limiters(int threads, Set<Limiter> limiters, String... limits) {
        return limiters(threads, limiters, options -> limits.length == 0 ? options : options.param("limit", limits));
    }

    private Options limiters(int threads, Set<Limiter> limiters, UnaryOperator<ChainedOptionsBuilder> change) {
        TimeValue time = TimeValue.milliseconds(brief ? 100 : 150);
        TimeValue warmup = threads == 1 || brief ? time : TimeValue.milliseconds(1_250); // they delay the compiler
        String[] names = limiters.stream().map(Limiter::name).toArray(String[]::new);
        return averages(
                "LimiterBenchmark",
                3,
                options -> change.apply(options.threads(threads)
                        .param("limiter", names)
                        .addProfiler("gc")
                        .warmupTime(warmup)
                        .measurementTime(time)));
    }

    /** Ten permits in a call: of limits that they exhaust, that they leave five of, and that grant all. */
    private Options manyPermits(int threads) {
        return limiters(
                threads,
                Limiter.WEIGHTED,
                options -> options.param("permits", "10").param("limit", "100000", "100005", "100000000"));
    }

    /** Two limits, and the delay of what is refused. */
    private Options[] kinds() {
        return IntStream.of(1, 2)
                .boxed()
                .flatMap(threads ->
                        Stream.of(limiters(threads, Limiter.TWOFOLD), limiters(threads, Limiter.DELAYING, "10000")))
                .toArray(Options[]::new);
    }

    private Options together(int threads) {
        return averages(
                "TogetherBenchmark", 3, options -> options.threads(threads).addProfiler("gc"));
    }

    private Options keyedCalls(int threads) {
        return averages(
                "KeyedCallBenchmark", 3, options -> options.threads(threads).addProfiler("gc"));
    }

    private Options[] passingKeys() {
        out.println(
                "left out of passing-keys: ten million in Resilience4j's registry: it evicts none, and is full before");
        return Keyed.MAPS.stream()
                .map(keyed -> of("PassingKeysBenchmark")
                        .param("keyed", keyed.name())
                        .param("keys", passing(keyed))
                        .build())
                .toArray(Options[]::new);
    }

    private String[] passing(Keyed keyed) {
        String[] all = brief ? new String[] {"100000", "1000000"} : new String[] {"1000000", "10000000"};
        return keyed == Keyed.RESILIENCE4J ? new String[] {all[0]} : all;
    }

    /** On a disk, its own work of 60 to 400 µs would cover any difference. */
    private Options missing() {
        return averages("MissingDirsBenchmark", 3, options -> {
            ChainedOptionsBuilder inMemory =
                    Files.isWritable(MEMORY) ? options.jvmArgsAppend("-Djava.io.tmpdir=" + MEMORY) : options;
            return ifBrief(inMemory, "depth", "1");
        });
    }

    /** The tree has one fork, for it takes seconds to fill each time. */
    private Options[] expiry() {
        return EXPIRING.stream()
                .map(window -> averages(
                        "ExpiryBenchmark",
                        window == ExactWindow.DROPWIZARD_TREE ? 1 : 3,
                        options -> ifBrief(options.param("window", window.name()), "events", "1000000")))
                .toArray(Options[]::new);
    }

    private Options bounded() {
        return averages(
                "BoundedRecordBenchmark", 3, options -> ifBrief(options.addProfiler("gc"), "events", "1000000"));
    }

    private Options[] approximations() {
        return Stream.of(Approximation.values())
                .map(counter -> of("ApproximationBenchmark")
                        .param("counter", counter.name())
                        .param("events", sizes(counter))
                        .build())
                .toArray(Options[]::new);
    }

    private String[] sizes(Approximation counter) {
        return Stream.iterate(100L, size -> (brief ? 100 : 10) * size)
                .limit(brief ? 3 : 8)
                .filter(size -> isTried(counter, size, counter.whyNot(size)))
                .map(String::valueOf)
                .toArray(String[]::new);
    }

    private Options[] growthOfExpiry() {
        out.println("left out of expiry: the sweep: it reads every event each time, expired or not");
        return growth("ExpiryBenchmark", EXPIRING, options -> options.param("left", "0"));
    }

    private Options[] growth(String benchmark, Set<ExactWindow> windows, UnaryOperator<ChainedOptionsBuilder> change) {
        out.println(
                "left out of " + benchmark + ": Jetty and SmallRye: one cannot be told the time, one does not count");
        return windows.stream()
                .map(window -> averages(
                        benchmark,
                        1,
                        options -> change.apply(
                                options.param("window", window.name()).param("events", sizes(window)))))
                .toArray(Options[]::new);
    }

    private String[] sizes(ExactWindow window) {
        return Stream.iterate(100, size -> (brief ? 100 : 10) * size)
                .limit(brief ? 3 : 7)
                .filter(size -> isTried(window, size, window.whyNot(size)))
                .map(String::valueOf)
                .toArray(String[]::new);
    }

    private boolean isTried(Object counter, long events, Optional<String> whyNot) {
        whyNot.ifPresent(reason -> out.printf("left out: %s with %,d events: %s%n", counter, events, reason));
        return whyNot.isEmpty();
    }

    private Options averages(String benchmark, int forks, UnaryOperator<ChainedOptionsBuilder> change) {
        TimeValue warmup = TimeValue.milliseconds(brief ? 100 : 300);
        TimeValue time = TimeValue.milliseconds(brief ? 100 : 200);
        ChainedOptionsBuilder options = of(benchmark)
                .forks(brief ? 1 : forks)
                .warmupIterations(brief ? 1 : 2)
                .warmupTime(warmup)
                .measurementIterations(brief ? 2 : 3)
                .measurementTime(time);
        return change.apply(options).build();
    }

    /** Of a benchmark that is run once at a time, as often as it says itself. */
    private Options singles(String benchmark, String param, String briefly) {
        return ifBrief(of(benchmark), param, briefly).build();
    }

    private ChainedOptionsBuilder ifBrief(ChainedOptionsBuilder options, String param, String value) {
        return brief ? options.param(param, value) : options;
    }

    private static ChainedOptionsBuilder of(String benchmark) {
        return new OptionsBuilder().include(benchmark).shouldFailOnError(false);
    }
}
