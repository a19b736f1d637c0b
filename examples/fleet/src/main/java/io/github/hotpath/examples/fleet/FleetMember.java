package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.infinispan.AdvancedCache;
import org.infinispan.context.Flag;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.manager.DefaultCacheManager;
import org.jspecify.annotations.Nullable;

/**
 * A member in a JVM of its own, with clients in it. It does what the lines of its standard input say, answers each with
 * a line, and ends with its input: so it never outlives the process that started it.
 */
final class FleetMember {
    /** The silence after which a member counts as failed. Short, for a machine that runs all of them. */
    static final Duration SILENCE = Duration.ofSeconds(4);

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(6);

    private final DefaultCacheManager manager;
    private final Path logs;
    private final String name;
    private @Nullable FleetLimiter<String> limiter;
    private @Nullable Clients clients;

    private FleetMember(DefaultCacheManager manager, Path logs, String name) {
        this.manager = manager;
        this.logs = logs;
        this.name = name;
    }

    /** Runs a member: its name, the directory of its logs, its port, and the ports of the members with data. */
    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF); // each failure is logged at length
        List<HostAndPort> addresses = Arrays.stream(args)
                .skip(2)
                .map(port -> new HostAndPort("127.0.0.1", Integer.parseInt(port)))
                .toList();
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(commands), "commands"); // from the start: it may end meanwhile
        reader.setDaemon(true);
        reader.start();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1); // Infinispan's own threads would go on
        });
        DefaultCacheManager manager = new DefaultCacheManager(
                FleetMembers.member(
                        "hotpath", addresses.get(0), addresses.subList(1, addresses.size()), SILENCE, START_TIMEOUT),
                true);
        FleetMember member = new FleetMember(manager, Path.of(args[1]), args[0]);
        System.out.println("started");
        while (true) {
            System.out.println(member.run(commands.take().split(" ")));
        }
    }

    private static void read(BlockingQueue<String> commands) {
        try (Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8)) {
            while (lines.hasNextLine()) {
                commands.add(lines.nextLine());
            }
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private String run(String[] command) throws Exception {
        return switch (command[0]) {
            case "join" ->
                join(
                        command[1],
                        Long.parseLong(command[2]),
                        millis(command[3]),
                        millis(command[4]),
                        millis(command[5]));
            case "owns" ->
                Boolean.toString(topology().getDistribution(Clients.name(0)).isPrimary());
            case "coordinates" -> Boolean.toString(manager.isCoordinator());
            case "members" ->
                topology().getPendingCH() == null
                        ? Integer.toString(topology().getMembers().size())
                        : "moving";
            case "start" -> start(Integer.parseInt(command[1]), Integer.parseInt(command[2]), command[3]);
            case "stop" -> stop();
            case "refuse" -> refuse(Integer.parseInt(command[1]));
            case "counted" -> counted(Integer.parseInt(command[1]), Long.parseLong(command[2]));
            case "leave" -> leave();
            default -> throw new IllegalArgumentException("command: " + command[0]);
        };
    }

    private static Duration millis(String number) {
        return Duration.ofMillis(Long.parseLong(number));
    }

    private String join(String limit, long permits, Duration interval, Duration skew, Duration offset) {
        limiter = FleetLimiter.join(
                manager,
                limit,
                () -> FleetLimiter.wallClock() + offset.toNanos(),
                skew,
                skew,
                CALL_TIMEOUT,
                Limit.of(permits, interval));
        return "joined";
    }

    private FleetLimiter<String> limiter() {
        return requireNonNull(limiter, "limiter");
    }

    private LocalizedCacheTopology topology() {
        return limiter().cache().getDistributionManager().getCacheTopology();
    }

    private String start(int keys, int number, String run) throws Exception {
        clients = new Clients(limiter(), keys, number, logs, run + '-' + name);
        return "started";
    }

    private String stop() throws InterruptedException {
        if (clients != null) {
            clients.stop();
        }
        return "stopped";
    }

    /** Returns the time, and for each key that this member owns its number and how many permits count for it. */
    private String counted(int keys, long permits) {
        AdvancedCache<Object, SlidingWindowLimiter> own = limiter().cache().withFlags(Flag.CACHE_MODE_LOCAL);
        long nanos = FleetLimiter.wallClock();
        return nanos + " "
                + IntStream.range(0, keys)
                        .filter(key -> topology().isReadOwner(Clients.name(key)))
                        .mapToObj(key -> {
                            SlidingWindowLimiter there = own.get(Clients.name(key));
                            return key + ":" + (there == null ? 0 : permits - there.available(nanos));
                        })
                        .collect(Collectors.joining(" "));
    }

    /** Returns how many nanoseconds it takes to refuse in this member. */
    private String refuse(int calls) {
        FleetLimiter<String> limiter = limiter();
        String key = Clients.name(0);
        limiter.tryAcquire(key, 1);
        limiter.tryAcquire(key, 1);
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            if (limiter.tryAcquire(key, 1)) {
                throw new IllegalStateException("granted");
            }
        }
        return Double.toString((double) (System.nanoTime() - start) / calls);
    }

    private String leave() {
        manager.stop();
        return "left";
    }
}
