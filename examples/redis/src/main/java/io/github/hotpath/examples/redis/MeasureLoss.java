package io.github.hotpath.examples.redis;

import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;

/**
 * Measures how many acknowledged grants are gone after a server was killed and restarted, or was lost with its
 * connections and replaced by its replica; and how many are granted in a second: by what is written to disk, and
 * whether a replica must have a grant. The replica is 5 ms away. Prints the results.
 *
 * <pre>mvn -q compile exec:java -pl examples/redis -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.redis.MeasureLoss [-Dredis.server=PROGRAM]</pre>
 */
public final class MeasureLoss {
    private static final int THREADS = 8;
    private static final int TIMES = 9;
    private static final Duration TIME = Duration.ofSeconds(1);
    private static final Duration DISTANCE = Duration.ofMillis(5);
    private static final Limit LIMIT = Limit.of(10_000_000, Duration.ofHours(1));

    private final PrintStream out;
    private final Path dir;
    private final Map<String, List<Long>> granted = new LinkedHashMap<>();
    private final Map<String, List<Long>> lost = new LinkedHashMap<>();
    private int servers;

    private MeasureLoss(PrintStream out, Path dir) {
        this.out = out;
        this.dir = dir;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws Exception {
        LogManager.getLogManager().reset(); // Lettuce logs that the connection breaks
        Path dir = Files.createTempDirectory("hotpath-");
        try {
            new MeasureLoss(System.out, dir).all();
        } finally {
            ServerProcess.delete(dir);
        }
    }

    private void all() throws Exception {
        out.printf(Locale.ROOT, "%-44s %12s %10s%n", "", "granted/s", "lost");
        for (int i = 0; i < TIMES; i++) {
            restarted("no file, killed", "--appendonly", "no");
            restarted("file, forced every second, killed", "--appendonly", "yes", "--appendfsync", "everysec");
            restarted("file, every write forced, killed", "--appendonly", "yes", "--appendfsync", "always");
            promoted("machine lost, replica promoted", 0);
            promoted("the same, WAIT 1", 1);
        }
        out.printf("%nmedian of %d (least to most)%n%-44s %24s   %s%n", TIMES, "", "granted/s", "lost");
        granted.forEach((name, numbers) ->
                out.printf("%-44s %24s   %s%n", name, summary(numbers), summary(lost.getOrDefault(name, List.of()))));
    }

    private static String summary(List<Long> numbers) {
        List<Long> sorted = numbers.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "%,d (%,d to %,d)",
                sorted.get(sorted.size() / 2),
                sorted.get(0),
                sorted.get(sorted.size() - 1));
    }

    private ServerProcess server(String... options) throws IOException {
        Path files = Files.createDirectory(dir.resolve("server" + servers++));
        return new ServerProcess(files, ServerProcess.chosenProgram(), options);
    }

    private void restarted(String name, String... options) throws Exception {
        try (ServerProcess server = server(options)) {
            Report report = grant(server, 0, server::kill);
            server.restart();
            print(name, report, server);
        }
    }

    private void promoted(String name, int replicas) throws Exception {
        try (ServerProcess server = server();
                DelayProxy proxy = new DelayProxy(server.port(), DISTANCE);
                ServerProcess replica = server("--replicaof", "127.0.0.1", "" + proxy.port())) {
            try (Store store = new Store(replica.uri())) {
                while (!store.commands().info("replication").contains("master_link_status:up")) {
                    TimeUnit.MILLISECONDS.sleep(20);
                }
                Report report = grant(server, replicas, () -> {
                    proxy.cut();
                    server.kill();
                });
                store.commands().replicaofNoOne();
                print(name, report, replica);
            }
        }
    }

    private interface Failure {
        void run() throws IOException, InterruptedException;
    }

    /** Grants as fast as possible, lets the server fail meanwhile, and returns what was acknowledged. */
    private static Report grant(ServerProcess server, int replicas, Failure failure) throws Exception {
        Report sum = new Report();
        try (LimitServer connection = LimitServer.connect(server.uri(), Duration.ofSeconds(2), replicas)) {
            RedisLimiter limiter = connection.limiter("loss", LIMIT);
            List<Report> reports = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Report report = new Report();
                reports.add(report);
                threads.add(new Thread(() -> acquireUntilFailure(limiter, report)));
            }
            threads.forEach(Thread::start);
            TimeUnit.NANOSECONDS.sleep(TIME.toNanos());
            failure.run();
            for (Thread thread : threads) {
                thread.join();
            }
            reports.forEach(sum::add);
        }
        return sum;
    }

    private static void acquireUntilFailure(RedisLimiter limiter, Report report) {
        try {
            while (true) {
                long begin = Callers.wallClock();
                if (limiter.tryAcquire("k", 1)) {
                    report.addGrant(0, begin, Callers.wallClock());
                }
            }
        } catch (OutcomeUnknownException | NotAcquiredException e) {
            report.addUnknown();
        }
    }

    private void print(String name, Report report, ServerProcess survivor) {
        try (Store store = new Store(survivor.uri())) {
            long lostNow = new Grants(report.grants()).lost(0, 0, Long.MAX_VALUE, store.times("loss:k"));
            long perSecond = report.grants().size() * TimeUnit.SECONDS.toNanos(1) / TIME.toNanos();
            out.printf(Locale.ROOT, "%-44s %,12d %,10d%n", name, perSecond, lostNow);
            granted.computeIfAbsent(name, first -> new ArrayList<>()).add(perSecond);
            lost.computeIfAbsent(name, first -> new ArrayList<>()).add(lostNow);
        }
    }
}
