package io.github.hotpath.examples.redis;

import io.github.hotpath.examples.Program;
import io.github.hotpath.examples.redis.Way.Rule;
import io.lettuce.core.RedisURI;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Limits the callers of three processes on one Redis: those of one key, and those of a thousand. In the middle the
 * server is killed, and started again from its append-only file. From the logs of all grants: was any interval over the
 * limit, and is a grant lost? Before that, one key is limited with a sorted set, with Redisson and with Bucket4j.
 *
 * <pre>mvn -q compile exec:java -pl examples/redis -am [-Dredis.server=PROGRAM | -Dredis.uri=redis://HOST:PORT]</pre>
 *
 * <p>The server is the embedded one, or another program, or one that runs already, which is not killed. The exit status
 * is 0, or 1 if {@link RedisLimiter} exceeded a limit or lost a grant.
 */
public final class LimitRedis {
    private static final int PROCESSES = 3;
    private static final int THREADS = 2;
    private static final int KEYS = 1_000;
    private static final int PERMITS = 1_000;
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration HALF = Duration.ofMillis(1_500);
    private static final String ROW = "%-24s %9s %8s %9s %9s %8s %9s %10s %9s %6s %6s";

    private final PrintStream out;
    private final Path dir;
    private final String run =
            "hotpath-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
    private final List<String> rows = new ArrayList<>();
    private boolean isRight = true;

    private LimitRedis(PrintStream out, Path dir) {
        this.out = out;
        this.dir = dir;
    }

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program program = new Program("LimitRedis", "", System.err);
        LogManager.getLogManager().reset(); // Lettuce logs that the connection breaks
        boolean[] isRight = new boolean[1];
        int status = program.run(() -> isRight[0] = run(System.out));
        Program.exit(status == 0 && !isRight[0] ? 1 : status);
    }

    private static boolean run(PrintStream out) throws IOException, InterruptedException {
        Path dir = Files.createTempDirectory("hotpath-");
        try {
            LimitRedis program = new LimitRedis(out, dir);
            String uri = System.getProperty("redis.uri", "");
            if (uri.isEmpty()) {
                Path files = Files.createDirectory(dir.resolve("server"));
                // Each grant is written before it is acknowledged, which a process that is killed cannot undo. Only a
                // machine that fails needs "always"; "everysec" postpones writes while the disk is busy.
                try (ServerProcess server = new ServerProcess(
                        files, ServerProcess.chosenProgram(), "--appendonly", "yes", "--appendfsync", "no")) {
                    program.all(server.uri(), new Restart(server, dir));
                }
            } else {
                program.all(RedisURI.create(uri), null);
            }
            program.table();
            return program.isRight;
        } finally {
            ServerProcess.delete(dir);
        }
    }

    /** A server that can be killed. */
    private static final class Restart {
        private final ServerProcess server;
        private final Path dir;
        private ChildJvm guard;

        Restart(ServerProcess server, Path dir) throws IOException {
            this.server = server;
            this.dir = dir;
            guard = ServerGuard.start(server, dir);
        }

        void run() throws IOException, InterruptedException {
            server.kill();
            server.restart();
            guard.close();
            guard = ServerGuard.start(server, dir);
        }

        void end() {
            guard.close();
        }
    }

    private void all(RedisURI uri, @Nullable Restart restart) throws IOException, InterruptedException {
        List<List<Load>> groups = new ArrayList<>();
        for (Way way : List.of(Way.SORTED_SET, Way.REDISSON, Way.BUCKET4J)) {
            groups.add(List.of(new Load(way, new Rule(run + '-' + way.name(), PERMITS, INTERVAL), 1)));
        }
        Load one = new Load(Way.HOTPATH, new Rule(run + "-one", PERMITS, INTERVAL), 1);
        Load many = new Load(Way.HOTPATH, new Rule(run + "-many", 4, INTERVAL), KEYS);
        groups.add(List.of(one, many));
        List<ChildJvm> processes = new ArrayList<>();
        try (Store store = new Store(uri)) {
            out.println("starting " + PROCESSES + " processes");
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(process(uri, groups, i));
            }
            for (ChildJvm process : processes) {
                process.await("ready");
            }
            for (List<Load> group : groups) {
                out.println(group.stream().map(Load::name).collect(Collectors.joining("; ")));
                run(processes, store, group.contains(one) ? restart : null, group);
            }
        } finally {
            processes.forEach(ChildJvm::close);
            if (restart != null) {
                restart.end();
            }
        }
    }

    private ChildJvm process(RedisURI uri, List<List<Load>> groups, int number) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(uri.toURI().toString()));
        for (int group = 0; group < groups.size(); group++) {
            for (Load load : groups.get(group)) {
                arguments.addAll(Callers.arguments(load.way, load.rule, load.keys, THREADS, group, log(load, number)));
            }
        }
        return new ChildJvm(Callers.class, arguments);
    }

    private record Load(Way way, Rule rule, int keys) {
        String name() {
            return way + (keys == 1 ? ", one key" : ", a thousand keys");
        }
    }

    private void run(List<ChildJvm> processes, Store store, @Nullable Restart restart, List<Load> loads)
            throws IOException, InterruptedException {
        try {
            for (ChildJvm process : processes) {
                process.tell();
            }
            TimeUnit.NANOSECONDS.sleep(HALF.toNanos());
            Stored stored = restart == null ? null : killed(restart, store, loads);
            TimeUnit.NANOSECONDS.sleep(HALF.toNanos());
            List<Long> bytes =
                    loads.stream().map(load -> store.bytes(load.rule.name())).toList();
            long end = Callers.wallClock();
            for (ChildJvm process : processes) {
                process.tell();
            }
            for (ChildJvm process : processes) {
                process.await("done");
            }
            for (int i = 0; i < loads.size(); i++) {
                add(loads.get(i), report(loads.get(i)), stored, bytes.get(i), end);
            }
        } finally {
            loads.forEach(load -> store.delete(load.rule.name()));
        }
    }

    private Path log(Load load, int process) {
        return dir.resolve(load.rule.name() + process);
    }

    private Report report(Load load) throws IOException {
        Report report = new Report();
        for (int i = 0; i < PROCESSES; i++) {
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(log(load, i))))) {
                report.add(Report.readFrom(in));
            }
        }
        return report;
    }

    /** What the server had after it was killed. */
    private record Stored(long killed, long read, Map<String, double[]> times) {
        long lost(Load load, Grants grants) {
            long lost = 0;
            for (int key : grants.keys()) {
                double[] stored = times.getOrDefault(load.rule.name() + ':' + Callers.key(key), new double[0]);
                lost += grants.lost(key, read - INTERVAL.toNanos(), killed, stored);
            }
            return lost;
        }
    }

    private Stored killed(Restart restart, Store store, List<Load> loads) throws IOException, InterruptedException {
        long killed = Callers.wallClock();
        restart.run();
        out.println("killed the server, and started it again");
        List<String> keys = new ArrayList<>();
        for (Load load : loads) {
            for (int key = 0; key < load.keys; key++) {
                keys.add(load.rule.name() + ':' + Callers.key(key));
            }
        }
        Map<String, double[]> times = store.times(keys);
        return new Stored(killed, Callers.wallClock(), times);
    }

    private void add(Load load, Report report, @Nullable Stored stored, long bytes, long end) {
        Grants grants = new Grants(report.grants());
        int fullest = grants.fullest(load.rule.interval().toNanos());
        long counting = Math.max(1, grants.since(end - load.rule.interval().toNanos()));
        Long lost = stored == null ? null : stored.lost(load, grants);
        isRight &= load.way != Way.HOTPATH || fullest <= load.rule.permits() && (lost == null || lost == 0);
        rows.add(row(
                load.name(),
                grouped(report.attempts()),
                grouped(report.grants().size()),
                grouped(report.refusedByServer()),
                grouped(report.refusedLocally()),
                grouped(report.unknown()),
                grouped(report.notMade()),
                String.format(Locale.ROOT, "%,.0f ms", report.longestNanos() / 1e6),
                grouped(fullest) + '/' + grouped(load.rule.permits()),
                String.format(Locale.ROOT, "%.1f", (double) bytes / counting),
                lost == null ? "-" : grouped(lost)));
    }

    private void table() {
        out.println(row("", "", "", "refused", "refused", "outcome", "", "longest", "fullest", "bytes", "grants"));
        out.println(row(
                "",
                "attempts",
                "granted",
                "by server",
                "locally",
                "unknown",
                "not made",
                "call",
                "interval",
                "each",
                "lost"));
        rows.forEach(out::println);
    }

    private static String row(String... cells) {
        return String.format(Locale.ROOT, ROW, (Object[]) cells).stripTrailing();
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
