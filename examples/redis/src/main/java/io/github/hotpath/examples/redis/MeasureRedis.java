package io.github.hotpath.examples.redis;

import io.github.hotpath.examples.redis.Way.Rule;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Measures, in one run, how many calls a second eight threads make on one key, and how long the server works for each:
 * PING, {@link RedisLimiter}, a sorted set, Redisson and Bucket4j, granted and refused. Then the bytes a grant, and the
 * longest time for which a call occupies the server, up to 100,000 grants. Prints the results.
 *
 * <pre>mvn -q compile exec:java -pl examples/redis -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.redis.MeasureRedis [-Dredis.server=PROGRAM]</pre>
 */
public final class MeasureRedis {
    private static final int THREADS = 8;
    private static final int ROUNDS = 7;
    private static final Duration TIME = Duration.ofMillis(1_000);
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final String KEY = "measured:hot";

    /** Never reached. */
    private static Rule granted(Way way) {
        return new Rule("granted-" + way.name(), 1_000_000, Duration.ofMillis(100));
    }

    private static Rule refused(Way way) {
        return new Rule("refused-" + way.name(), 1_000, Duration.ofHours(1));
    }

    private final PrintStream out;
    private final ServerProcess process;
    private final Store store;
    private final Map<String, Figures> figures = new LinkedHashMap<>();

    private MeasureRedis(PrintStream out, ServerProcess process, Store store) {
        this.out = out;
        this.process = process;
        this.store = store;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory("hotpath-");
        try (ServerProcess process = new ServerProcess(dir, ServerProcess.chosenProgram());
                Store store = new Store(process.uri())) {
            MeasureRedis measure = new MeasureRedis(System.out, process, store);
            measure.server();
            measure.calls();
            measure.memory();
            measure.longest();
        }
    }

    private void server() {
        String info = store.commands().info("server");
        info.lines()
                .filter(line -> line.startsWith("redis_version") || line.startsWith("valkey_version"))
                .forEach(out::println);
        out.println("java " + Runtime.version());
    }

    /** Something to call, and which result it must have. */
    private interface Call {
        boolean run();
    }

    private static final class Figures {
        final List<Double> perSecond = new ArrayList<>();
        final List<Double> serverMicros = new ArrayList<>();

        static double median(List<Double> values) {
            List<Double> sorted = new ArrayList<>(values);
            Collections.sort(sorted);
            return sorted.get(sorted.size() / 2);
        }
    }

    private void calls() throws InterruptedException {
        Map<String, Call> calls = new LinkedHashMap<>();
        List<AutoCloseable> open = new ArrayList<>();
        RedisURI uri = process.uri();
        RedisClient client = RedisClient.create(uri);
        StatefulRedisConnection<String, String> connection = client.connect();
        calls.put("PING", () -> connection.sync().ping() != null);
        for (Way way : Way.values()) {
            Way.Limiter limiter = way.connect(uri, granted(way));
            open.add(limiter);
            calls.put(way + ", granted", () -> limiter.tryAcquire("hot"));
        }
        LimitServer server = LimitServer.connect(uri, Duration.ofSeconds(5));
        open.add(server);
        Rule rule = refused(Way.HOTPATH);
        RedisLimiter exhausted = server.limiter(rule.name(), Limit.of(rule.permits(), rule.interval()));
        exhaust(() -> exhausted.tryAcquire("hot", 1));
        calls.put("hotpath, refused by the server", () -> exhausted.askServer("hot", 1) > 0);
        for (Way way : List.of(Way.SORTED_SET, Way.REDISSON)) {
            Way.Limiter limiter = way.connect(uri, refused(way));
            exhaust(() -> limiter.tryAcquire("hot"));
            open.add(limiter);
            calls.put(way + ", refused by the server", () -> !limiter.tryAcquire("hot"));
        }
        calls.put("hotpath, refused locally", () -> !exhausted.tryAcquire("hot", 1));
        for (Call call : calls.values()) {
            measure(new Figures(), call, WARM_UP);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Map.Entry<String, Call> call : calls.entrySet()) {
                measure(figures.computeIfAbsent(call.getKey(), name -> new Figures()), call.getValue(), TIME);
            }
        }
        printCalls();
        open.forEach(MeasureRedis::close);
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    private void printCalls() {
        double ping = Figures.median(figures.get("PING").perSecond);
        out.printf(
                Locale.ROOT,
                "%n%d threads, one key, %d rounds of %d ms: median (least to most)%n%-34s %10s %24s %8s %6s %s%n",
                THREADS,
                ROUNDS,
                TIME.toMillis(),
                "",
                "calls/s",
                "",
                "of PING",
                "server",
                "us a call");
        figures.forEach((name, figure) -> out.printf(
                Locale.ROOT,
                "%-34s %,10.0f %24s %8.2f %6.1f (%.1f to %.1f)%n",
                name,
                Figures.median(figure.perSecond),
                String.format(
                        Locale.ROOT,
                        "(%,.0f to %,.0f)",
                        Collections.min(figure.perSecond),
                        Collections.max(figure.perSecond)),
                Figures.median(figure.perSecond) / ping,
                Figures.median(figure.serverMicros),
                Collections.min(figure.serverMicros),
                Collections.max(figure.serverMicros)));
        for (String kind : List.of(", granted", ", refused by the server")) {
            out.printf(
                    Locale.ROOT,
                    "hotpath%s: the server works %.2f times as long as for the sorted set%n",
                    kind,
                    Figures.median(figures.get(Way.HOTPATH + kind).serverMicros)
                            / Figures.median(figures.get(Way.SORTED_SET + kind).serverMicros));
        }
    }

    private static void exhaust(Call call) {
        while (call.run()) {
            // until it is refused
        }
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void measure(Figures figures, Call call, Duration time) throws InterruptedException {
        LongAdder calls = new LongAdder();
        double cpu = processorSeconds();
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                long number = 0;
                while (System.nanoTime() - start < time.toNanos()) {
                    if (!call.run()) {
                        throw new IllegalStateException("not the result that is measured");
                    }
                    number++;
                }
                calls.add(number);
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        figures.perSecond.add(calls.sum() * 1e9 / (System.nanoTime() - start));
        figures.serverMicros.add((processorSeconds() - cpu) * 1e6 / calls.sum());
    }

    /** Returns the time for which the server has worked, in seconds. */
    private double processorSeconds() {
        return store.commands()
                .info("cpu")
                .lines()
                .filter(line -> line.matches("used_cpu_(sys|user):.*"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    private void memory() throws IOException, InterruptedException {
        out.printf("%n%-40s %8s %8s%n", "bytes a grant", "1,000", "100,000");
        out.printf(Locale.ROOT, "%-40s %8.1f %8.1f%n", "hotpath, full limit", full(1_000), full(100_000));
        out.printf(Locale.ROOT, "%-40s %8.1f %8.1f%n", "hotpath, growing, the most", most(1_000, 1), most(100_000, 1));
        out.printf(
                Locale.ROOT,
                "%-40s %8.1f %8.1f%n",
                "hotpath, 3 permits each, the most",
                most(1_000, 3),
                most(100_000, 3));
        for (Way way : List.of(Way.SORTED_SET, Way.REDISSON)) {
            out.printf(Locale.ROOT, "%-40s %8.1f %8.1f%n", way, of(way, 1_000), of(way, 100_000));
        }
    }

    private double full(int permits) throws InterruptedException {
        store.commands().del(KEY);
        acquire(Limit.of(permits, Duration.ofHours(1)), permits, 1, 0);
        return bytes(permits);
    }

    private double bytes(int grants) {
        Long bytes = store.commands().memoryUsage(KEY);
        return bytes == null ? 0 : (double) bytes / grants;
    }

    /** Returns the most bytes a grant, from half of the grants on. */
    private double most(int grants, int permits) throws InterruptedException {
        store.commands().del(KEY);
        Limit limit = Limit.of(1L << 40, Duration.ofHours(1));
        acquire(limit, grants / 2, permits, 0);
        double most = 0;
        int step = grants / 500;
        for (int i = grants / 2; i < grants; i += step) {
            acquire(limit, step, permits, i);
            most = Math.max(most, bytes(i + step));
        }
        return most;
    }

    private double of(Way way, int grants) throws InterruptedException {
        Rule rule = new Rule("memory", grants, Duration.ofHours(1));
        try (Way.Limiter limiter = way.connect(process.uri(), rule)) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(new Thread(() -> {
                    for (int n = 0; n < grants / THREADS; n++) {
                        limiter.tryAcquire("hot");
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            double bytes = (double) store.bytes("memory:hot") / grants;
            store.delete("memory:hot");
            return bytes;
        }
    }

    /** Makes calls without waiting for each answer, at times a microsecond apart. */
    private void acquire(Limit limit, int calls, int permits, int from) throws InterruptedException {
        RedisAsyncCommands<String, byte[]> async = store.async();
        AcquireScript script = AcquireScript.STANDARD;
        store.commands().scriptLoad(script.text());
        Rules rules = new Rules(limit);
        String[] keys = {KEY};
        for (int i = 1; i <= calls; i++) {
            String[] words = rules.arguments(permits, Long.toString(1_700_000_000_000_000L + from + i));
            byte[][] arguments = new byte[words.length][];
            for (int word = 0; word < words.length; word++) {
                arguments[word] = words[word].getBytes(StandardCharsets.US_ASCII);
            }
            RedisFuture<Long> answer = async.<Long>evalsha(script.digest(), ScriptOutputType.INTEGER, keys, arguments);
            if ((i % 500 == 0 || i == calls) && !answer.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no answer");
            }
        }
    }

    /**
     * By the server's own log of slow commands, which counts the time of other processes, too: so of each call the
     * median of several rounds, in which the same calls are made, and of these the longest.
     */
    private void longest() throws InterruptedException {
        Map<String, List<double[]>> longest = new LinkedHashMap<>();
        Limit large = Limit.of(1L << 40, Duration.ofHours(1));
        Limit shorter = Limit.of(1L << 40, Duration.ofMillis(20));
        Limit longer = Limit.of(1L << 40, Duration.ofMillis(100));
        for (int i = 0; i < ROUNDS; i++) {
            store.commands().del(KEY);
            add(longest, "growing to 100,000 grants", times(large, 100_000, 1, 0));
            add(longest, "then a first grant of 2 permits", times(large, 1, 2, 100_000));
            add(longest, "then 1,000 of 3 permits", times(large, 1_000, 3, 100_001));
            store.commands().del(KEY);
            add(longest, "growing to 100,000 grants of 3 permits", times(large, 100_000, 3, 0));
            store.commands().del(KEY);
            acquire(shorter, 60_000, 1, 0);
            add(longest, "growing when some have expired", times(longer, 100_000, 1, 60_000));
        }
        add(longest, "a sorted set: 100,000 expire, once", sortedSet());
        out.printf("%nlongest call at the server, ms: by the median of each call (least to most)%n");
        longest.forEach((name, rounds) -> out.printf(
                Locale.ROOT,
                "%-40s %8.2f (%.2f to %.2f)%n",
                name,
                longest(rounds, rounds.size() / 2),
                longest(rounds, 0),
                longest(rounds, rounds.size() - 1)));
    }

    /** Returns the longest of all calls, by the time that is at that rank of the rounds. */
    private static double longest(List<double[]> rounds, int rank) {
        return IntStream.range(0, rounds.get(0).length)
                .mapToDouble(call -> rounds.stream()
                        .mapToDouble(times -> times[call])
                        .sorted()
                        .skip(rank)
                        .findFirst()
                        .getAsDouble())
                .max()
                .getAsDouble();
    }

    private static void add(Map<String, List<double[]>> figures, String name, double[] times) {
        figures.computeIfAbsent(name, absent -> new ArrayList<>()).add(times);
    }

    private double[] times(Limit limit, int calls, int permits, int from) throws InterruptedException {
        resetSlowLog();
        acquire(limit, calls, permits, from);
        return times();
    }

    private double[] sortedSet() throws InterruptedException {
        try (Way.Limiter limiter =
                Way.SORTED_SET.connect(process.uri(), new Rule("expiry", 1_000_000, Duration.ofHours(1)))) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(new Thread(() -> {
                    for (int n = 0; n < 100_000 / THREADS; n++) {
                        limiter.tryAcquire("hot");
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        try (Way.Limiter limiter =
                Way.SORTED_SET.connect(process.uri(), new Rule("expiry", 1_000_000, Duration.ofMillis(1)))) {
            resetSlowLog();
            limiter.tryAcquire("hot");
            return times();
        }
    }

    private void resetSlowLog() {
        store.commands().configSet("slowlog-max-len", "200000");
        store.commands().configSet("slowlog-log-slower-than", "0");
        store.commands().slowlogReset();
    }

    /** Returns the milliseconds of each script since. */
    private double[] times() {
        store.commands().configSet("slowlog-log-slower-than", "-1");
        return store.commands().slowlogGet(200_000).stream()
                .map(entry -> (List<?>) entry)
                .filter(fields -> command((List<?>) fields.get(3)).startsWith("EVAL"))
                .sorted(Comparator.comparing(fields -> (Long) fields.get(0)))
                .mapToDouble(fields -> ((Long) fields.get(2)) / 1e3)
                .toArray();
    }

    private static String command(List<?> words) {
        return new String((byte[]) words.get(0), StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
    }
}
