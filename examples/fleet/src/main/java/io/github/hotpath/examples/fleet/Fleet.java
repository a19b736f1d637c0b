package io.github.hotpath.examples.fleet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.stream.IntStream;

/** Members in processes of their own, and the results of their clients. */
final class Fleet implements AutoCloseable {
    /** How many members have data, unless a test says something else. */
    static final int DATA_MEMBERS = 3;

    private static final long DEADLINE_SECONDS = 60;

    private final Path dir;
    private final List<String> dataMembers;
    private final Times times;
    private final Map<Integer, MemberProcess> members = new TreeMap<>();
    private int started;

    /** The margin of the clocks, and the time-out of a call. */
    record Times(Duration margin, Duration timeout) {
        static final Times DEFAULT = new Times(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    /** A limit and its name. */
    record Rule(String name, long permits, Duration interval) {
        private String command() {
            return "limit %s %d %d".formatted(name, permits, interval.toMillis());
        }
    }

    /** Members with data at those addresses, with their files in {@code dir}. None is started. */
    Fleet(Path dir, List<String> dataMembers, Times times) {
        this.dir = dir;
        this.dataMembers = List.copyOf(dataMembers);
        this.times = times;
    }

    /** Starts so many members on the loopback address, all with data, with more options of their JVMs. */
    static Fleet onLoopback(Path dir, int number, String... options) throws IOException, InterruptedException {
        Fleet fleet = new Fleet(dir, freeAddresses(number), Times.DEFAULT);
        try {
            IntStream.range(0, number).forEach(member -> fleet.launch(member, fleet.local(member, List.of(options))));
            for (MemberProcess member : fleet.members.values()) {
                member.answer();
            }
            return fleet;
        } catch (InterruptedException | RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    /** Each member needs two ports, one after the other. */
    static List<String> freeAddresses(int number) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        try {
            while (addresses.size() < number) {
                ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(first);
                try {
                    sockets.add(new ServerSocket(first.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress()));
                    addresses.add("127.0.0.1:" + first.getLocalPort());
                } catch (IOException | IllegalArgumentException e) {
                    // It is in use: another one.
                }
            }
            return addresses;
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private MemberProcess.Start local(int member, List<String> options) {
        return new MemberProcess.Start(List.of(), options, dataMembers.get(member), 0);
    }

    /** Starts the member with that number, and does not wait for it. Each has a number of its own. */
    void launch(int number, MemberProcess.Start start) {
        try {
            members.put(number, new MemberProcess("member-" + ++started, start, dir, times, dataMembers));
        } catch (IOException e) {
            throw new IllegalStateException("start of a member", e);
        }
    }

    /** Starts one with data on the loopback address, in the place of one that has ended. */
    void relaunch(int number, String... options) throws InterruptedException {
        launch(number, local(number, List.of(options)));
        member(number).answer();
    }

    MemberProcess member(int number) {
        return members.get(number);
    }

    /** Returns the numbers of the members that run. */
    List<Integer> numbers() {
        return List.copyOf(members.keySet());
    }

    /** Makes a limit known to all members. */
    void limit(Rule rule) throws InterruptedException {
        for (int number : numbers()) {
            limit(number, rule);
        }
    }

    /** Makes it known to one. */
    void limit(int number, Rule rule) throws InterruptedException {
        member(number).ask(rule.command());
    }

    /** A condition. */
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Waits for a condition, but not for ever. */
    static void await(Condition condition, String what) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        try {
            while (!condition.holds()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(what);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        } catch (IOException e) {
            throw new IllegalStateException(what, e);
        }
    }

    /** Waits for a leader among those members, and returns its number. */
    int leader(List<Integer> among) throws InterruptedException, TimeoutException {
        int[] leader = {-1};
        await(
                () -> {
                    for (int number : among) {
                        if (members.containsKey(number)
                                && Boolean.parseBoolean(member(number).ask("leads"))) {
                            leader[0] = number;
                        }
                    }
                    return leader[0] >= 0;
                },
                "leader");
        return leader[0];
    }

    /** Waits for a leader, and returns its number. */
    int leader() throws InterruptedException, TimeoutException {
        return leader(numbers());
    }

    /** Kills a member. */
    void kill(int number) throws InterruptedException {
        member(number).kill();
        members.remove(number);
    }

    /** Lets a member leave in good order. */
    void leave(int number) throws InterruptedException {
        member(number).ask("leave");
        kill(number);
    }

    /** Starts clients in all members. */
    void start(String run, int keys, int clients) throws InterruptedException {
        for (int number : numbers()) {
            start(number, run, keys, clients);
        }
    }

    /** Starts clients in one. */
    void start(int number, String run, int keys, int clients) throws InterruptedException {
        member(number).ask("start %d %d %s".formatted(keys, clients, run));
    }

    /** Waits until so many grants of a run have been made. */
    void awaitGranted(String run, long granted) throws InterruptedException, TimeoutException {
        await(() -> granted(run) >= granted, "grants");
    }

    /** Waits until so many more have been made. */
    void awaitMore(String run, long grants) throws InterruptedException, TimeoutException, IOException {
        awaitGranted(run, granted(run) + grants);
    }

    /** Stops all clients, and waits for their last calls. */
    void stop() throws InterruptedException {
        members.values().forEach(member -> member.tell("stop"));
        for (MemberProcess member : members.values()) {
            member.answer();
        }
    }

    /** Returns the results of the clients of a run, also of members that were killed. */
    Report report(String run) throws IOException {
        Report report = new Report();
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(dir, run + "-*.log")) {
            for (Path log : logs) {
                report.add(GrantLog.read(log));
            }
        }
        return report;
    }

    /** Returns how many grants of a run there are so far. */
    long granted(String run) throws IOException {
        return granted(run + "-*.log", 0);
    }

    /** Returns how many grants of a run there are so far in the members of which that is a part of the name. */
    long grantedBy(String run, String name) throws IOException {
        return granted(run + '-' + name + "-*.log", 0);
    }

    private long granted(String pattern, long before) throws IOException {
        long granted = before;
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(dir, pattern)) {
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
    long lost(Report report, Rule rule) throws InterruptedException, TimeoutException {
        Grants grants = report.grants();
        String[] answer = counted();
        long since = Long.parseLong(answer[0]) - rule.interval().toNanos();
        Map<String, Long> available = available(answer);
        long lost = 0;
        for (int key : grants.keys()) {
            long counted = rule.permits() - available.getOrDefault(Clients.name(key), rule.permits());
            lost += Math.max(0, grants.since(key, since) - counted);
        }
        return lost;
    }

    /** Returns for each key how many permits are available at the leader, of the limit that was set there last. */
    Map<String, Long> available() throws InterruptedException, TimeoutException {
        return available(counted());
    }

    private String[] counted() throws InterruptedException, TimeoutException {
        return member(leader()).ask("counted").split(" ");
    }

    private static Map<String, Long> available(String[] counted) {
        Map<String, Long> available = new TreeMap<>();
        for (int i = 1; i < counted.length; i++) {
            String[] key = counted[i].split(":");
            available.put(key[0], Long.parseLong(key[1]));
        }
        return available;
    }

    /** Waits until all members with data have come to the same state. */
    void awaitSameState(List<Integer> withData) throws InterruptedException, TimeoutException {
        List<String> states = new ArrayList<>();
        try {
            await(
                    () -> {
                        states.clear();
                        for (int number : withData) {
                            states.add(member(number).ask("state"));
                        }
                        return states.stream().distinct().count() == 1;
                    },
                    "the same state");
        } catch (TimeoutException e) {
            throw (TimeoutException) new TimeoutException("the same state, instead of " + states).initCause(e);
        }
    }

    @Override
    public void close() {
        members.values().forEach(MemberProcess::close);
        members.clear();
    }
}
