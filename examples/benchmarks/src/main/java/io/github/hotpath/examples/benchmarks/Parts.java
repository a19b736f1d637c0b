package io.github.hotpath.examples.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** What JMH measures on one JDK, in parts whose results go to one file each, and how long. */
final class Parts {
    private static final Map<String, Function<Parts, List<Options>>> PARTS = parts();

    /** Where Linux has a file system in memory. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private final boolean brief;
    private final Jdk jdk;

    /** A brief run has fewer forks, iterations and sizes. */
    Parts(boolean brief, Jdk jdk) {
        this.brief = brief;
        this.jdk = jdk;
    }

    private static Map<String, Function<Parts, List<Options>>> parts() {
        Map<String, Function<Parts, List<Options>>> parts = new LinkedHashMap<>();
        parts.put("record", p -> List.of(p.averages("[.]RecordBenchmark", 3, o -> o.addProfiler("gc"))));
        parts.put("count", p -> List.of(p.averages("CountBenchmark", 3, o -> o)));
        parts.put("expiry", p -> List.of(p.averages("ExpiryBenchmark", 3, o -> p.ifBrief(o, "events", "1000000"))));
        parts.put("memory", p -> List.of(p.singles("MemoryBenchmark", "events", "1000000")));
        parts.put("small-windows", p -> List.of(p.singles("SmallWindowsBenchmark", "windows", "100000")));
        parts.put("compact-form", p -> List.of(p.averages("CompactFormBenchmark", 3, o -> o)));
        parts.put("concurrent", p -> p.bothThreads("ConcurrentBenchmark", 5));
        parts.put("limiter", p -> List.of(p.limiters(1, Limiter.PLAIN), p.limiters(2, Limiter.PLAIN)));
        parts.put("limiter-permits", p -> List.of(p.permits(1), p.permits(2)));
        parts.put("limiter-kinds", Parts::kinds);
        parts.put("limiter-size", p -> List.of(p.sizes()));
        parts.put("limiter-together", p -> p.bothThreads("TogetherBenchmark", 3));
        parts.put("small-limiters", p -> List.of(p.singles("SmallLimitersBenchmark", "limiters", "10000")));
        parts.put("keyed", p -> p.bothThreads("KeyedCallBenchmark", 3));
        parts.put("live-keys", p -> List.of(p.singles("LiveKeysBenchmark", "keys", "100000")));
        parts.put("passing-keys", Parts::passingKeys);
        parts.put("dirs", p -> List.of(p.averages("[.]DirsBenchmark", 3, o -> o)));
        parts.put("missing", Parts::missing);
        parts.put("bounded-record", p -> List.of(p.averages("BoundedRecordBenchmark", 3, o -> o.addProfiler("gc"))));
        parts.put("approximation", p -> List.of(p.singles("ApproximationBenchmark", "events", "1000", "100000")));
        return parts;
    }

    /** Returns the names of all parts. */
    static Set<String> names() {
        return PARTS.keySet();
    }

    /** Returns the runs of a part. */
    List<Options> runs(String name) {
        return PARTS.get(name).apply(this);
    }

    /** Two threads disturb each other in one fork more than in the next. */
    private List<Options> bothThreads(String benchmark, int forksOfTwo) {
        return Stream.of(1, 2)
                .map(threads -> averages(
                        benchmark,
                        threads == 1 ? 3 : forksOfTwo,
                        o -> o.threads(threads).addProfiler("gc")))
                .toList();
    }

    /** Longer than the limiters' interval, but not much: there are many of them. */
    private Options limiters(int threads, Set<Limiter> limiters, String... params) {
        TimeValue time = TimeValue.milliseconds(brief ? 100 : 150);
        TimeValue warmup = threads == 1 || brief ? time : TimeValue.milliseconds(1_250); // they delay the compiler
        String[] names = limiters.stream().map(Limiter::name).toArray(String[]::new);
        return averages("LimiterBenchmark", 3, o -> {
            ChainedOptionsBuilder options = o.threads(threads)
                    .param("limiter", names)
                    .addProfiler("gc")
                    .warmupTime(warmup)
                    .measurementTime(time);
            for (int i = 0; i < params.length; i += 2) {
                options = options.param(params[i], params[i + 1]);
            }
            return options;
        });
    }

    /** A reservation behind a million others becomes faster for a second. */
    private Options sizes() {
        TimeValue warmup = TimeValue.milliseconds(brief ? 100 : 1_250);
        return averages("LimiterSizeBenchmark", 3, o -> o.addProfiler("gc").warmupTime(warmup));
    }

    /** Ten permits in a call, of a limit that leaves five. */
    private Options permits(int threads) {
        return limiters(threads, Limiter.WEIGHTED, "permits", "10", "limit", "100005");
    }

    /** Two limits, and the delay of what is refused. */
    private List<Options> kinds() {
        return Stream.of(1, 2)
                .flatMap(threads -> Stream.of(
                        limiters(threads, Limiter.TWOFOLD), limiters(threads, Limiter.DELAYING, "limit", "10000")))
                .toList();
    }

    /** Resilience4j's registry evicts no key, and is full before ten million. */
    private List<Options> passingKeys() {
        return Keyed.MAPS.stream()
                .map(keyed -> of("PassingKeysBenchmark")
                        .param("keyed", keyed.name())
                        .param("keys", brief ? "100000" : keyed == Keyed.RESILIENCE4J ? "1000000" : "10000000")
                        .build())
                .toList();
    }

    /** On a disk, its own work of 60 to 400 µs would cover any difference. */
    private List<Options> missing() {
        return List.of(averages(
                "MissingDirsBenchmark",
                3,
                o -> Files.isWritable(MEMORY) ? o.jvmArgsAppend("-Djava.io.tmpdir=" + MEMORY) : o));
    }

    private Options averages(String benchmark, int forks, UnaryOperator<ChainedOptionsBuilder> change) {
        ChainedOptionsBuilder options = of(benchmark)
                .forks(brief ? 1 : forks)
                .warmupIterations(brief ? 1 : 2)
                .warmupTime(TimeValue.milliseconds(brief ? 100 : 300))
                .measurementIterations(brief ? 2 : 3)
                .measurementTime(TimeValue.milliseconds(brief ? 100 : 200));
        return change.apply(options).build();
    }

    /** Of a benchmark that is run once at a time, as often as it says itself. */
    private Options singles(String benchmark, String param, String... briefly) {
        return ifBrief(of(benchmark), param, briefly).build();
    }

    private ChainedOptionsBuilder ifBrief(ChainedOptionsBuilder options, String param, String... values) {
        return brief ? options.param(param, values) : options;
    }

    private ChainedOptionsBuilder of(String benchmark) {
        return new OptionsBuilder()
                .include(benchmark)
                .jvm(jdk.java().toString())
                .shouldFailOnError(false);
    }
}
