package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.support.ChildJvm;
import io.github.hotpath.examples.support.Grants;
import io.github.hotpath.examples.support.Ports;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Members in processes of their own, and the results of their clients. */
final class Fleet implements AutoCloseable {
    /** How many members have data, unless a test says something else. */
    static final int DATA_MEMBERS = 3;

    private static final Duration DEADLINE = Duration.ofMinutes(5); // for what hangs

    private final Path dir;
    private final List<String> dataMembers;
    private final Map<Integer, ChildJvm> members = new TreeMap<>();
    private int started;

    /** A limit and its name. */
    record Rule(String name, long permits, Duration interval) {}

    /**
     * How a member is started.
     *
     * @param how "create", "join" or "replace", or "client" for one without data
     * @param prefix of the command, as to run it in a namespace of the network
     * @param options of its JVM
     */
    record Start(String how, List<String> prefix, List<String> options) {}

    /** Members with data at those addresses, with their files in {@code dir}. None is started. */
    Fleet(Path dir, List<String> dataMembers) {
        this.dir = dir;
        this.dataMembers = List.copyOf(dataMembers);
    }

    /** Creates so many members on the loopback address, all with data, with more options of their JVMs. */
    static Fleet onLoopback(Path dir, int number, String... options) throws IOException, InterruptedException {
        Fleet fleet = new Fleet(dir, freeAddresses(number));
        try {
            for (int member = 0; member < number; member++) {
                fleet.launch(member, new Start("create", List.of(), List.of(options)));
            }
            for (int member = 0; member < number; member++) {
                fleet.answer(member);
            }
            return fleet;
        } catch (IOException | InterruptedException | RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    static List<String> freeAddresses(int number) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            addresses.add("127.0.0.1:" + Ports.free());
        }
        return addresses;
    }

    /** Starts the member with that number, and does not wait for it. */
    void launch(int number, Start start) throws IOException {
        String own = number < dataMembers.size() ? dataMembers.get(number) : MemberProgram.NO_DATA;
        List<String> options = new ArrayList<>(List.of(
                "-Xmx256m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseSerialGC", // two processors have several members to run
                "-XX:+IgnoreUnrecognizedVMOptions", // JDK 17 does not know the next one
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.io.tmpdir=" + dir, // one that is killed deletes nothing
                "-Dhotpath.fleet.log=" + Boolean.getBoolean("hotpath.fleet.log")));
        options.addAll(start.options);
        List<Object> arguments =
                new ArrayList<>(List.of(start.how, "member-" + ++started, dir, own, directory(number)));
        arguments.addAll(dataMembers);
        List<String> command = new ArrayList<>(start.prefix);
        command.addAll(ChildJvm.command(options, MemberProgram.class, arguments.toArray()));
        members.put(number, ChildJvm.start(command));
    }

    /** Returns the directory of a member with data. */
    Path directory(int number) {
        return dir.resolve("data-" + number);
    }

    /** Starts one with data on the loopback address, in the place of one that has ended. */
    void relaunch(int number, String how, String... options) throws IOException, InterruptedException {
        launch(number, new Start(how, List.of(), List.of(options)));
        answer(number);
    }

    ChildJvm member(int number) {
        return members.get(number);
    }

    /** Waits for the answer of a member. */
    String answer(int number) throws IOException, InterruptedException {
        return member(number).answer(DEADLINE);
    }

    /** Asks a member. */
    String ask(int number, String command) throws IOException, InterruptedException {
        member(number).tell(command);
        return answer(number);
    }

    /** Returns the numbers of the members that run. */
    List<Integer> numbers() {
        return List.copyOf(members.keySet());
    }

    /** Makes a limit known to all members. */
    void limit(Rule rule) throws IOException, InterruptedException {
        for (int number : numbers()) {
            limit(number, rule);
        }
    }

    /** Makes it known to one. */
    void limit(int number, Rule rule) throws IOException, InterruptedException {
        ask(number, "limit %s %d %d".formatted(rule.name, rule.permits, rule.interval.toMillis()));
    }

    /** A condition. */
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Waits for a condition, but not for ever. */
    static void await(Condition condition, String what) throws IOException, InterruptedException, TimeoutException {
        long start = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - start > DEADLINE.toNanos()) {
                throw new TimeoutException(what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** Waits for a leader among those members, and returns its number. */
    int leader(List<Integer> among) throws IOException, InterruptedException, TimeoutException {
        int[] leader = {-1};
        await(
                () -> {
                    for (int number : among) {
                        if (members.containsKey(number) && Boolean.parseBoolean(ask(number, "leads"))) {
                            leader[0] = number;
                        }
                    }
                    return leader[0] >= 0;
                },
                "leader");
        return leader[0];
    }

    /** Waits for a leader, and returns its number. */
    int leader() throws IOException, InterruptedException, TimeoutException {
        return leader(numbers());
    }

    /** Waits until a member is up to date. */
    void awaitUpToDate(int number) throws IOException, InterruptedException, TimeoutException {
        String[] problem = {""};
        try {
            await(() -> (problem[0] = ask(number, "problem")).isEmpty(), "up to date");
        } catch (TimeoutException e) {
            throw new IllegalStateException(number + ": " + problem[0], e);
        }
    }

    /** Kills a member. */
    void kill(int number) {
        members.remove(number).close();
    }

    /** Stops it, as a long pause of a collector or of a virtual machine does, or lets it continue. */
    void pause(int number, boolean stop) throws IOException, InterruptedException {
        String pid = Long.toString(member(number).process().pid());
        new ProcessBuilder("kill", stop ? "-STOP" : "-CONT", pid)
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Starts clients in all members. */
    void start(String run, int keys, int clients) throws IOException, InterruptedException {
        for (int number : numbers()) {
            start(number, run, keys, clients);
        }
    }

    /** Starts clients in one. */
    void start(int number, String run, int keys, int clients) throws IOException, InterruptedException {
        ask(number, "start %d %d %s".formatted(keys, clients, run));
    }

    /** Waits until so many grants of a run have been made. */
    void awaitGranted(String run, long granted) throws IOException, InterruptedException, TimeoutException {
        await(() -> granted(run) >= granted, granted + " grants");
    }

    /** Waits until so many more have been made. */
    void awaitMore(String run, long grants) throws IOException, InterruptedException, TimeoutException {
        awaitGranted(run, granted(run) + grants);
    }

    /** Waits until a member has had more grants, since it was started. */
    void awaitServed(String run, int number) throws IOException, InterruptedException, TimeoutException {
        String name = ask(number, "name");
        long before = granted(run + '-' + name);
        await(() -> granted(run + '-' + name) > before, "grants of " + name);
    }

    /** Stops all clients, and waits for their last calls. */
    void stop() throws IOException, InterruptedException {
        members.values().forEach(member -> member.tell("stop"));
        for (int number : numbers()) {
            answer(number);
        }
    }

    /** Returns the results of the clients of a run, also of members that were killed. */
    GrantLog.Report report(String run) throws IOException {
        GrantLog.Report report = new GrantLog.Report();
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(dir, run + "-*.log")) {
            for (Path log : logs) {
                report.add(GrantLog.read(log));
            }
        }
        return report;
    }

    /** Returns how many grants of a run, or of a member in it, there are so far. */
    long granted(String prefix) throws IOException {
        long granted = 0;
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(dir, prefix + "-*.log")) {
            for (Path log : logs) {
                granted += GrantLog.granted(log);
            }
        }
        return granted;
    }

    /**
     * Returns how many grants of the last interval do not count at the leader. The clients are stopped, so nothing
     * follows the last entry.
     */
    long lost(Grants grants, Rule rule) throws IOException, InterruptedException, TimeoutException {
        long since = System.nanoTime() - rule.interval.toNanos();
        Map<String, Long> available = available();
        long lost = 0;
        for (int key : grants.keys()) {
            long counted = rule.permits - available.getOrDefault(Clients.name(key), rule.permits);
            long made = grants.of(key).stream()
                    .filter(grant -> grant.begin() - since >= 0)
                    .count();
            lost += Math.max(0, made - counted);
        }
        return lost;
    }

    /** Returns for each key how many permits are available at the leader, of the limit that was set there last. */
    Map<String, Long> available() throws IOException, InterruptedException, TimeoutException {
        Map<String, Long> available = new TreeMap<>();
        for (String key : ask(leader(), "available").split(" ")) {
            String[] parts = key.split(":");
            if (parts.length == 2) {
                available.put(parts[0], Long.parseLong(parts[1]));
            }
        }
        return available;
    }

    /** Waits until all members with data that run have come to the same state. */
    void awaitSameState() throws IOException, InterruptedException, TimeoutException {
        List<String> states = new ArrayList<>();
        try {
            await(
                    () -> {
                        states.clear();
                        for (int number : numbers()) {
                            if (number < dataMembers.size()) {
                                states.add(ask(number, "state") + ask(number, "problem"));
                            }
                        }
                        return states.stream().distinct().count() == 1;
                    },
                    "the same state");
        } catch (TimeoutException e) {
            throw new IllegalStateException("the same state, instead of " + states, e);
        }
    }

    @Override
    public void close() {
        members.values().forEach(ChildJvm::close);
        members.clear();
    }
}
