package io.github.hotpath.examples.redis;

import io.github.hotpath.examples.redis.Way.Rule;
import io.lettuce.core.RedisURI;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.LogManager;

/** Threads of a process that acquire permits of a limit as fast as they can, and write down what they were granted. */
final class Callers {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Way.Limiter limiter;
    private final int keys;
    private final List<Caller> callers = new ArrayList<>();
    private volatile boolean stopped;

    Callers(Way way, RedisURI uri, Rule rule, int keys, int threads) {
        limiter = way.connect(uri, rule);
        this.keys = keys;
        for (int i = 0; i < threads; i++) {
            callers.add(new Caller(
                    new SplittableRandom(i + 31L * ProcessHandle.current().pid())));
        }
    }

    /** Returns the name of a key of that number. */
    static String key(int number) {
        return "client-" + number;
    }

    /** Returns the time of the wall clock, in nanoseconds. */
    static long wallClock() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    void start() {
        callers.forEach(Thread::start);
    }

    /** Stops the threads, waits for their last calls, and returns their results. */
    Report stop() throws InterruptedException {
        stopped = true;
        Report report = new Report();
        for (Caller caller : callers) {
            caller.join();
            report.add(caller.report);
        }
        report.setRefusedLocally(limiter.refusedLocally());
        limiter.close();
        return report;
    }

    private final class Caller extends Thread {
        private final Report report = new Report();
        private final SplittableRandom random;

        Caller(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public void run() {
            while (!stopped) {
                if (!call(random.nextInt(keys))) {
                    LockSupport.parkNanos(PAUSE_NANOS); // so that the others have a processor
                }
            }
        }

        private boolean call(int key) {
            long begin = wallClock();
            boolean granted = false;
            try {
                granted = limiter.tryAcquire(key(key));
                if (granted) {
                    report.addGrant(key, begin, wallClock());
                } else {
                    report.addRefusal();
                }
            } catch (NotAcquiredException e) {
                report.addNotMade();
            } catch (RuntimeException e) {
                report.addUnknown();
            }
            report.addDuration(wallClock() - begin);
            return granted;
        }
    }

    /**
     * A process with callers of several limits, in groups. When it reads a line, it starts those of the first group,
     * and stops them when it reads another one; and so on. It ends after the last group, or with the process that has
     * started it.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        LogManager.getLogManager().reset(); // Lettuce logs that the connection breaks
        RedisURI uri = RedisURI.create(args[0]);
        SortedMap<Integer, Map<Path, Callers>> groups = new TreeMap<>();
        for (int i = 1; i < args.length; i += 8) {
            Rule rule = new Rule(
                    args[i + 1], Integer.parseInt(args[i + 2]), Duration.ofMillis(Long.parseLong(args[i + 3])));
            Callers callers = new Callers(
                    Way.valueOf(args[i]), uri, rule, Integer.parseInt(args[i + 4]), Integer.parseInt(args[i + 5]));
            groups.computeIfAbsent(Integer.valueOf(args[i + 6]), group -> new HashMap<>())
                    .put(Path.of(args[i + 7]), callers);
        }
        System.out.println("ready");
        for (Map<Path, Callers> group : groups.values()) {
            awaitLine();
            group.values().forEach(Callers::start);
            awaitLine();
            for (Map.Entry<Path, Callers> callers : group.entrySet()) {
                write(callers.getValue().stop(), callers.getKey());
            }
            System.out.println("done");
        }
        System.exit(0); // whatever threads a client has left
    }

    private static void awaitLine() throws IOException {
        if (System.in.read() < 0) {
            System.exit(1);
        }
    }

    private static void write(Report report, Path log) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(log)))) {
            report.writeTo(out);
        }
    }

    /** Returns the arguments of {@link #main} for callers of a limit. */
    static List<String> arguments(Way way, Rule rule, int keys, int threads, int group, Path log) {
        return List.of(
                way.name(),
                rule.name(),
                Integer.toString(rule.permits()),
                Long.toString(rule.interval().toMillis()),
                Integer.toString(keys),
                Integer.toString(threads),
                Integer.toString(group),
                log.toString());
    }
}
