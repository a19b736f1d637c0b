package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import io.github.hotpath.limit.Limit;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A member in a JVM of its own, with clients in it. It does what the lines of its standard input say, answers each with
 * a line, and ends with its input: so it never outlives the process that started it.
 */
final class MemberProgram {
    /** The argument in place of the own address, of a member without data. */
    static final String NO_DATA = "-";

    private final FleetMember member;
    private final Path logs;
    private final String name;
    private @Nullable LimitSet limits;
    private @Nullable FleetLimiter limiter;
    private @Nullable Clients clients;

    private MemberProgram(FleetMember member, Path logs, String name) {
        this.member = member;
        this.logs = logs;
        this.name = name;
    }

    /**
     * Runs a member: its name, the directory of the results, its own address or none, the directory of its log, the
     * milliseconds by which its wall clock is wrong, the margin and the time-out in milliseconds, and the addresses of
     * the members with data.
     */
    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF); // gRPC logs each connection that fails
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(commands), "commands"); // from the start: it may end meanwhile
        reader.setDaemon(true);
        reader.start();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1); // other threads would go on
        });
        List<HostAndPort> data =
                Arrays.stream(args).skip(7).map(MemberProgram::address).toList();
        long offset = Duration.ofMillis(Long.parseLong(args[4])).toNanos();
        LongSupplier wallClock = () -> FleetMember.wallClock() + offset;
        FleetMembers members = FleetMembers.of("hotpath", data.toArray(HostAndPort[]::new))
                .withMargin(Duration.ofMillis(Long.parseLong(args[5])));
        Duration timeout = Duration.ofMillis(Long.parseLong(args[6]));
        FleetMember member = args[2].equals(NO_DATA)
                ? FleetMember.join(members, timeout)
                : FleetMember.join(members, address(args[2]), Path.of(args[3]), timeout, System::nanoTime, wallClock);
        MemberProgram program = new MemberProgram(member, Path.of(args[1]), args[0]);
        System.out.println("started");
        while (true) {
            System.out.println(program.run(commands.take().split(" ")));
        }
    }

    private static HostAndPort address(String text) {
        String[] parts = text.split(":");
        return new HostAndPort(parts[0], Integer.parseInt(parts[1]));
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
            case "limit" ->
                limit(command[1], Long.parseLong(command[2]), Duration.ofMillis(Long.parseLong(command[3])));
            case "leads" ->
                Boolean.toString(member.data() != null
                        && member.data().leader() == member.data().own());
            case "start" -> start(Integer.parseInt(command[1]), Integer.parseInt(command[2]), command[3]);
            case "stop" -> stop();
            case "refuse" -> refuse(Integer.parseInt(command[1]));
            case "counted" -> counted();
            case "state" -> state();
            case "snapshot" -> Long.toString(data().machine().takeSnapshot());
            case "leave" -> leave();
            default -> throw new IllegalArgumentException("command: " + command[0]);
        };
    }

    private DataMember data() {
        return requireNonNull(member.data(), "data");
    }

    private FleetLimiter limiter() {
        return requireNonNull(limiter, "limiter");
    }

    private String limit(String limit, long permits, Duration interval) {
        limits = new LimitSet(limit, List.of(Limit.of(permits, interval)));
        limiter = member.limiter(limit, Limit.of(permits, interval));
        return "limited";
    }

    private String start(int keys, int number, String run) throws IOException {
        clients = new Clients(limiter(), keys, number, logs, run + '-' + name);
        return "started";
    }

    private String stop() throws InterruptedException {
        if (clients != null) {
            clients.stop();
        }
        return "stopped";
    }

    /** Returns the wall clock, and for each key how many permits are available there. */
    private String counted() {
        long now = FleetMember.wallClock();
        long nanos = data().machine().clock().last().time();
        LimitSet asked = requireNonNull(limits, "limits");
        return now + " "
                + data().machine().read(state -> state.available(nanos, asked)).entrySet().stream()
                        .map(key -> key.getKey() + ":" + key.getValue())
                        .collect(Collectors.joining(" "));
    }

    /** Returns the last entry and the checksum of the state after it. */
    private String state() {
        return data().machine().read(state -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                state.writeTo(new DataOutputStream(bytes));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            CRC32 sum = new CRC32();
            sum.update(bytes.toByteArray());
            return data().machine().clock().last().time() + " " + sum.getValue();
        });
    }

    /** Returns how many nanoseconds it takes to refuse in this member. */
    private String refuse(int calls) {
        FleetLimiter limiter = limiter();
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

    private String leave() throws IOException {
        member.close();
        return "left";
    }
}
