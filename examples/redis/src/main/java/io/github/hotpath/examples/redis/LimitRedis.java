package io.github.hotpath.examples.redis;

import io.github.hotpath.examples.support.Table;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Limits the callers of a key on Redis with each of the scripts, and prints what that costs. */
@Command(
        name = "LimitRedis",
        mixinStandardHelpOptions = true,
        description = "Limits the callers of a key on Redis, and prints what that costs.")
public final class LimitRedis implements Callable<Integer> {
    private static final int THREADS = 8;
    private static final int PERMITS = 1_000;

    @Option(names = "--uri", description = "A Redis that is running; otherwise one is started.")
    @Nullable
    private String uri;

    @Option(names = "--seconds", description = "How long each row takes: ${DEFAULT-VALUE}.", defaultValue = "2")
    private int seconds;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private LimitRedis() {}

    /** Runs the program. The exit status is 1 if not exactly the permits of a limit were granted. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new LimitRedis()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        if (uri != null) {
            return run(RedisURI.create(uri));
        }
        try (ServerProcess server = new ServerProcess()) {
            return run(server.uri());
        }
    }

    private int run(RedisURI redis) {
        RedisClient client = RedisClient.create(redis);
        client.setOptions(RedisLimits.options(Duration.ofMinutes(1)));
        Table table = new Table(1, "", "calls/s", "of PING", "bytes a grant");
        boolean isExact = true;
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            perSecond(() -> connection.sync().ping()); // to warm up
            double ping = perSecond(() -> connection.sync().ping());
            table.add("PING", format("%,.0f", ping));
            for (Script script : Script.values()) {
                String key = "hotpath-"
                        + Long.toHexString(ThreadLocalRandom.current().nextLong());
                try {
                    isExact &= run(script, connection, key, ping, table);
                } finally {
                    connection.sync().del(key, key + "-wide");
                }
            }
        } finally {
            threads.shutdown();
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
        System.out.print(table);
        return isExact ? 0 : 1;
    }

    private boolean run(
            Script script, StatefulRedisConnection<String, String> connection, String key, double ping, Table table) {
        RedisLimits limits = RedisLimits.of(connection, script);
        String name = script == Script.LIST ? "list" : "sorted set";
        RedisLimiter wide = limits.limiter(key + "-wide", Limit.of(1L << 40, Duration.ofHours(1)));
        LongAdder granted = new LongAdder();
        double grants = perSecond(() -> {
            wide.tryAcquire(1);
            granted.increment();
        });
        double bytes = (double) connection.sync().memoryUsage(key + "-wide") / granted.sum();
        table.add(name + ", granted", format("%,.0f", grants), format("%.2f", grants / ping), format("%.1f", bytes));

        RedisLimiter narrow = limits.limiter(key, Limit.of(PERMITS, Duration.ofHours(1)));
        LongAdder asked = new LongAdder();
        LongAdder exact = new LongAdder();
        double refusals = perSecond(() -> {
            asked.increment();
            exact.add(narrow.askServer(1) == 0 ? 1 : 0);
        });
        table.add(name + ", refused", format("%,.0f", refusals), format("%.2f", refusals / ping));
        return exact.sum() == Math.min(asked.sum(), PERMITS);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** Returns how often a second the threads together make a call. */
    private double perSecond(Runnable call) {
        LongAdder calls = new LongAdder();
        long start = System.nanoTime();
        long end = start + Duration.ofSeconds(seconds).toNanos();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(CompletableFuture.runAsync(
                    () -> {
                        do { // at least once, on a busy machine too
                            call.run();
                            calls.increment();
                        } while (end - System.nanoTime() > 0);
                    },
                    threads));
        }
        running.forEach(CompletableFuture::join);
        return calls.sum() * 1e9 / (System.nanoTime() - start);
    }
}
