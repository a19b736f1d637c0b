package io.github.hotpath.examples.fleet;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Members in processes of their own on the loopback address, and the results of their clients. */
final class Fleet implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 60;

    private final Path dir;
    private final List<String> options;
    private final List<Integer> ports;
    private final List<MemberProcess> members = new ArrayList<>();
    private int started;

    /** Starts so many members, which all have data, with their logs in {@code dir}, and more options of their JVMs. */
    Fleet(Path dir, int number, String... options) throws IOException, InterruptedException {
        this.dir = dir;
        this.options = List.of(options);
        ports = MemberProcess.freePorts(number);
        try {
            for (int port : ports) {
                launch(port);
            }
            for (MemberProcess member : members) {
                member.answer();
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** A limit, the most by which clocks differ, and the name of both. */
    record Rule(String name, long permits, Duration interval, Duration maxSkew) {
        private String command(Duration clockOffset) {
            return "join %s %d %d %d %d"
                    .formatted(name, permits, interval.toMillis(), maxSkew.toMillis(), clockOffset.toMillis());
        }
    }

    private MemberProcess launch(int port) throws IOException {
        MemberProcess member = new MemberProcess("member-" + ++started, options, dir, port, ports);
        members.add(member);
        return member;
    }

    List<MemberProcess> members() {
        return List.copyOf(members);
    }

    /** Starts a member in the place of one that has ended, or, if none has, one without data. */
    MemberProcess launch(int freePort, boolean hasData) throws IOException, InterruptedException {
        MemberProcess member =
                launch(hasData ? freePort : MemberProcess.freePorts(1).get(0));
        member.answer();
        return member;
    }

    /** Lets all members join a limit. */
    void join(Rule rule) throws InterruptedException {
        for (MemberProcess member : members) {
            member.ask(rule.command(Duration.ZERO));
        }
    }

    /** Lets one join. */
    void join(MemberProcess member, Rule rule) throws InterruptedException {
        member.ask(rule.command(Duration.ZERO));
    }

    /** Waits until all members know of each other, and all data is where it belongs. */
    void awaitAll() throws InterruptedException, TimeoutException {
        String all = Integer.toString(members.size());
        for (MemberProcess member : members) {
            await(() -> member.ask("members").equals(all), "members");
        }
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

    /** Returns the member that owns the first key. */
    MemberProcess owner() throws InterruptedException {
        return memberThat("owns");
    }

    /** Returns the member that decides which members have which keys. */
    MemberProcess coordinator() throws InterruptedException {
        return memberThat("coordinates");
    }

    private MemberProcess memberThat(String question) throws InterruptedException {
        for (MemberProcess member : members) {
            if (Boolean.parseBoolean(member.ask(question))) {
                return member;
            }
        }
        throw new IllegalStateException("no member " + question);
    }

    /** Kills a member, and returns its port. */
    int kill(MemberProcess member) throws InterruptedException {
        member.kill();
        int port = member.port();
        members.remove(member);
        return port;
    }

    /** Lets a member leave in good order. */
    int leave(MemberProcess member) throws InterruptedException {
        member.ask("leave");
        return kill(member);
    }

    /** Starts clients in all members. */
    void start(String run, int keys, int clients) throws InterruptedException {
        for (MemberProcess member : members) {
            start(member, run, keys, clients);
        }
    }

    /** Starts clients in one. */
    void start(MemberProcess member, String run, int keys, int clients) throws InterruptedException {
        member.ask("start %d %d %s".formatted(keys, clients, run));
    }

    /** Waits until so many grants of a run have been made. */
    void awaitGranted(String run, long granted) throws InterruptedException, TimeoutException {
        await(() -> granted(run) >= granted, "grants");
    }

    /** Stops all clients, and waits for their last calls. */
    void stop() throws InterruptedException {
        members.forEach(member -> member.tell("stop"));
        for (MemberProcess member : members) {
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
        long granted = 0;
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(dir, run + "-*.log")) {
            for (Path log : logs) {
                granted += GrantLog.granted(log);
            }
        }
        return granted;
    }

    /**
     * Returns how many grants of the last interval do not count at an owner of their key. The clients are stopped.
     */
    long lost(Report report, int keys, Rule rule) throws InterruptedException {
        Grants grants = report.grants();
        Map<Integer, Long> lost = new HashMap<>();
        Map<Integer, Boolean> owned = new HashMap<>();
        for (MemberProcess member : members) {
            String[] answer =
                    member.ask("counted %d %d".formatted(keys, rule.permits())).split(" ");
            long since = Long.parseLong(answer[0]) - rule.interval().toNanos();
            for (int i = 1; i < answer.length; i++) {
                String[] counted = answer[i].split(":");
                int key = Integer.parseInt(counted[0]);
                long missing = grants.since(key, since) - Long.parseLong(counted[1]);
                owned.put(key, true);
                lost.merge(key, Math.max(0, missing), Math::max);
            }
        }
        for (int key : grants.keys()) {
            if (!owned.containsKey(key)) {
                throw new IllegalStateException("key " + key + " has no owner");
            }
        }
        return lost.values().stream().mapToLong(missing -> missing).sum();
    }

    @Override
    public void close() {
        members.forEach(MemberProcess::close);
        members.clear();
    }
}
