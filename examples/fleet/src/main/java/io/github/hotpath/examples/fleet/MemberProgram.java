package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
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

    private static final Logger LOGGER = Logger.getLogger("io.github.hotpath");
    private static final Duration SILENCE = Duration.ofMillis(Integer.getInteger("hotpath.fleet.silence", 500));

    /** A majority is served again in that time after a fault. */
    private static final Duration TIMEOUT = SILENCE.multipliedBy(4);

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
     * Runs a member: how it is started, its name, the directory of the results, its own address or none, the directory of
     * its log, and the addresses of the members with data.
     */
    public static void main(String[] args) throws Exception {
        System.setProperty("java.util.logging.SimpleFormatter.format", "%1$tT.%1$tL %4$s %5$s%n");
        Logger.getLogger("").setLevel(Level.OFF); // gRPC logs each connection that fails
        if (Boolean.getBoolean("hotpath.fleet.log")) {
            LOGGER.setLevel(Level.INFO);
        }

        FleetMembers members = FleetMembers.of("hotpath", Arrays.copyOfRange(args, 5, args.length))
                .withSilence(SILENCE);
        Path dir = Path.of(args[4]);
        FleetMember member = switch (args[0]) {
            case "create" -> FleetMember.create(members, args[3], dir, TIMEOUT);
            case "join" -> FleetMember.join(members, args[3], dir, TIMEOUT);
            case "replace" -> FleetMember.replace(members, args[3], dir, TIMEOUT);
            default -> FleetMember.client(members, TIMEOUT);
        };
        MemberProgram program = new MemberProgram(member, Path.of(args[2]), args[1]);
        System.out.println("started");
        try (Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8)) {
            while (lines.hasNextLine()) {
                System.out.println(program.run(lines.nextLine().split(" ")));
            }
        } finally {
            Runtime.getRuntime().halt(0); // other threads would go on
        }
    }

    private String run(String[] command) throws Exception {
        return switch (command[0]) {
            case "name" -> name;
            case "problem" -> member.problem().orElse("");
            case "leads" ->
                Boolean.toString(member.data() != null && member.data().isLeader());
            case "limit" ->
                limit(command[1], Long.parseLong(command[2]), Duration.ofMillis(Long.parseLong(command[3])));
            case "start" -> {
                clients = new Clients(
                        limiter(),
                        Integer.parseInt(command[1]),
                        Integer.parseInt(command[2]),
                        logs,
                        command[3] + '-' + name);
                yield "started";
            }
            case "stop" -> stop();
            case "refuse" -> refuse(Integer.parseInt(command[1]));
            case "available" -> available();
            case "state" -> state();
            case "cpu" ->
                Long.toString(ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElseThrow()
                        .toMillis());
            default -> throw new IllegalArgumentException("command: " + command[0]);
        };
    }

    private FleetMachine machine() {
        return requireNonNull(member.data(), "data").machine();
    }

    private FleetLimiter limiter() {
        return requireNonNull(limiter, "limiter");
    }

    private String limit(String limit, long permits, Duration interval) {
        limits = new LimitSet(limit, List.of(Limit.of(permits, interval)));
        limiter = member.limiter(limit, Limit.of(permits, interval));
        return "limited";
    }

    private String stop() throws InterruptedException {
        if (clients != null) {
            clients.stop();
        }
        return "stopped";
    }

    /** Returns for each key how many permits are available. */
    private String available() {
        LimitSet asked = requireNonNull(limits, "limits");
        long nanos = machine().clock().time();
        return machine().read(state -> state.available(nanos, asked)).entrySet().stream()
                .map(key -> key.getKey() + ":" + key.getValue())
                .collect(Collectors.joining(" "));
    }

    /** Returns the time of the last entry and the checksum of the state after it. */
    private String state() {
        FleetMachine machine = machine();
        machine.awaitWriter(); // one snapshot at a time
        return machine.read(state -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                state.snapshot().writeTo(new DataOutputStream(bytes), machine);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            CRC32 sum = new CRC32();
            sum.update(bytes.toByteArray());
            return machine.clock().time() + " " + sum.getValue();
        });
    }

    /** Returns how many nanoseconds it takes to refuse in this member. */
    private String refuse(int calls) {
        limiter().tryAcquire("refused", 1);
        limiter().tryAcquire("refused", 1);
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            limiter().tryAcquire("refused", 1);
        }
        return Double.toString((double) (System.nanoTime() - start) / calls);
    }
}
