package io.github.hotpath.examples.redis;

import io.github.hotpath.examples.support.Table;
import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Limits eight threads at one key of a Redis, and prints what that costs. */
@Command(name = "LimitRedis", mixinStandardHelpOptions = true)
public final class LimitRedis implements Callable<Integer> {
    private static final int THREADS = 8;
    private static final int PERMITS = 1_000;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @Option(names = "--uri", description = "A Redis that is running; otherwise one is started.")
    @Nullable
    private String uri;

    @Option(names = "--seconds", description = "How long each row takes: ${DEFAULT-VALUE}.", defaultValue = "2")
    private int seconds;

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
        try (RedisServer server = new RedisServer()) {
            return run(server.uri());
        }
    }

    private int run(RedisURI redis) {
        String prefix =
                "hotpath-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        Table table = new Table("", "calls/s", "of PING", "bytes a grant");
        LongAdder granted = new LongAdder();
        LongAdder asked = new LongAdder();
        RedisClient client = RedisClient.create(redis);
        try (RedisLimits limits = new RedisLimits(redis, prefix, TIMEOUT);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            try {
                perSecond(connection.sync()::ping); // to warm up
                double ping = perSecond(connection.sync()::ping);
                table.add("PING", (long) ping);

                Map<String, Limit> wide = Map.of("wide", Limit.of(1L << 40, HOUR));
                double grants = perSecond(() -> limits.decide(wide, 1).join());
                double bytes = connection.sync().memoryUsage(prefix + "wide");
                double each = bytes / connection.sync().zcard(prefix + "wide");
                table.add("granted", (long) grants, grants / ping, each);

                Map<String, Limit> narrow = Map.of("narrow", Limit.of(PERMITS, HOUR));
                double refusals = perSecond(() -> {
                    asked.increment();
                    granted.add(limits.decide(narrow, 1).join().delayNanos() == 0 ? 1 : 0);
                });
                table.add("refused", (long) refusals, refusals / ping);
            } finally {
                connection.sync().del(prefix + "wide", prefix + "narrow");
            }
        } finally {
            client.shutdown(Duration.ZERO, TIMEOUT);
        }
        System.out.print(table);
        return granted.sum() == Math.min(asked.sum(), PERMITS) ? 0 : 1;
    }

    /** Returns how often a second the threads together make a call. */
    private double perSecond(Runnable call) {
        LongAdder calls = new LongAdder();
        long start = System.nanoTime();
        long end = start + Duration.ofSeconds(seconds).toNanos();
        Runnable caller = () -> {
            do { // at least once, on a busy machine too
                call.run();
                calls.increment();
            } while (end - System.nanoTime() > 0);
        };
        List<CompletableFuture<Void>> running = Stream.generate(
                        () -> CompletableFuture.runAsync(caller, task -> new Thread(task).start()))
                .limit(THREADS)
                .toList();
        running.forEach(CompletableFuture::join);
        return calls.sum() * 1e9 / (System.nanoTime() - start);
    }
}
