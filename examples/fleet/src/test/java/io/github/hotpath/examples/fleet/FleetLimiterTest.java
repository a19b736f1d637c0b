package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members in this JVM. */
@Tag("fleet")
@Timeout(60)
class FleetLimiterTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Path MKFIFO = Path.of("/usr/bin/mkfifo");

    @TempDir
    private Path dir;

    private final List<FleetMember> started = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (FleetMember member : started) {
            member.close();
        }
    }

    private FleetMember start(FleetMembers members, int number, Duration timeout) throws IOException {
        FleetMember member =
                FleetMember.join(members, members.dataMembers().get(number), dir.resolve("member-" + number), timeout);
        started.add(member);
        return member;
    }

    private FleetMember client(FleetMembers members, Duration timeout) {
        FleetMember member = FleetMember.join(members, timeout);
        started.add(member);
        return member;
    }

    /** So many members on the loopback address, of which each has two ports. */
    static FleetMembers members(int number) throws IOException {
        List<HostAndPort> addresses = new ArrayList<>();
        for (String address : Fleet.freeAddresses(number)) {
            String[] parts = address.split(":");
            addresses.add(new HostAndPort(parts[0], Integer.parseInt(parts[1])));
        }
        return FleetMembers.of("test", addresses.toArray(HostAndPort[]::new)).withSilence(Duration.ofSeconds(1));
    }

    /** Ratis would end the JVM. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void join_portIsTaken_throwsAndLeavesNothing(int offset) throws Exception {
        FleetMembers members = members(1);
        HostAndPort own = members.dataMembers().get(0);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(own.host(), own.port() + offset));
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> start(members, 0, TIMEOUT));
        }

        assertThat(String.valueOf(Thread.getDefaultUncaughtExceptionHandler())).doesNotContain("ratis");
        assertThat(start(members, 0, TIMEOUT)
                        .limiter("share", Limit.of(1, HOUR))
                        .tryAcquire("a", 1))
                .isTrue();
    }

    @Test
    void join_portOfAMemberIsTaken_leavesNoThread() throws Exception {
        FleetMembers members = members(3);
        HostAndPort own = members.dataMembers().get(0);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(own.host(), own.port() + 1));
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> start(members, 0, TIMEOUT));
        }

        Fleet.await(
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("fleet-")),
                "the end of all threads");
    }

    @Test
    void close_interrupted_endsTheShareAllTheSame() throws Exception {
        FleetMember member = start(members(1), 0, TIMEOUT);
        RaftShare share = member.data().share();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(member::close);

        assertThat(Thread.interrupted()).isTrue();
        Fleet.await(() -> !share.isOpen(), "the end");
    }

    /** As after an error of Ratis, which ends without a word. */
    @Test
    void join_shareOfAMemberEnds_startsAgainFromItsDirectory() throws Exception {
        FleetMembers members = members(3).withSilence(Duration.ofMillis(200));
        for (int number = 0; number < 3; number++) {
            start(members, number, TIMEOUT);
        }
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(3, HOUR));
        for (int number = 0; number < 3; number++) {
            assertThat(client.tryAcquire("a", 1)).isTrue();
            DataMember member = started.get(number).data();
            RaftShare ended = member.share();
            ended.close();
            Fleet.await(() -> member.share() != ended && member.share().takesPart(), "share of " + number);
        }

        assertThat(client.tryAcquire("a", 1)).isFalse();
        assertThat(client.tryAcquire("b", 3)).isTrue();
    }

    /** It answers the leader, or the others, but applies nothing any more; and for some time it cannot even end. */
    @Test
    void join_shareOfAMemberHangs_startsAgainFromItsDirectory() throws Exception {
        FleetMembers members = members(3).withSilence(Duration.ofMillis(200));
        for (int number = 0; number < 3; number++) {
            start(members, number, TIMEOUT);
        }
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(4, HOUR));
        assertThat(client.tryAcquire("a", 1)).isTrue();
        DataMember first = started.get(0).data();
        Fleet.await(() -> first.leader() >= 0, "a leader");
        int leader = first.leader();
        for (int number : List.of((leader + 1) % 3, leader)) {
            DataMember member = started.get(number).data();
            RaftShare hung = member.share();
            synchronized (hung.machine()) {
                assertThat(client.tryAcquire("a", 1)).isTrue();
                Fleet.await(() -> !started.get(number).isUpToDate(), "an entry that " + number + " cannot apply");
                Fleet.await(() -> !hung.takesPart(), "end of " + number);
            }
            Fleet.await(() -> member.share() != hung && member.share().takesPart(), "share of " + number);
            Fleet.await(() -> member.machine().read(FleetState::keys) == 1, "key at " + number);
            Fleet.await(started.get(number)::isUpToDate, "all entries at " + number);
        }

        assertThat(client.tryAcquire("a", 1)).isTrue();
        assertThat(client.tryAcquire("a", 1)).isFalse();
    }

    /** As with millions of keys: starting again would only take longer. */
    @Test
    void proceeds_snapshotTakesLong_isTrue() throws Exception {
        assumeTrue(Files.isExecutable(MKFIFO), "there is no mkfifo");
        FleetMembers members = members(3);
        for (int number = 0; number < 3; number++) {
            start(members, number, TIMEOUT);
        }
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(4, HOUR));
        assertThat(client.tryAcquire("a", 1)).isTrue();
        DataMember first = started.get(0).data();
        Fleet.await(() -> first.leader() >= 0, "a leader");
        DataMember member = started.get((first.leader() + 1) % 3).data();
        FleetMachine machine = member.machine();
        Fleet.await(() -> machine.read(FleetState::keys) == 1, "a key");
        machine.takeSnapshot();
        Path snapshots = machine.getLatestSnapshot().getFile().getPath().getParent();
        assertThat(client.tryAcquire("b", 1)).isTrue();
        Fleet.await(() -> machine.read(FleetState::keys) == 2, "another key");
        TermIndex last = machine.getLastAppliedTermIndex();
        Path pipe = snapshots.resolve("snapshot." + last.getTerm() + "_" + last.getIndex() + ".tmp");
        new ProcessBuilder(MKFIFO.toString(), pipe.toString()).start().waitFor();

        CompletableFuture<Long> snapshot = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return machine.takeSnapshot(); // until somebody reads it
                    } catch (IOException e) {
                        return RaftLog.INVALID_LOG_INDEX;
                    }
                },
                FleetLimiterTest::startDaemon);
        try {
            Fleet.await(machine::isAtSnapshot, "a snapshot");
            for (int call = 0; call < 4; call++) {
                assertThat(client.tryAcquire("c", 1)).isTrue();
                assertThat(member.proceeds()).isTrue();
            }
        } finally {
            if (machine.isAtSnapshot()) { // otherwise nobody writes, and this would wait for ever
                Files.readAllBytes(pipe);
            }
        }
        snapshot.join();
        assertThat(machine.isAtSnapshot()).isFalse();
    }

    private static void startDaemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    /** It would be tried after each entry, and hold back all of them. What a killed one left is deleted at a start. */
    @Test
    @EnabledOnOs(OS.LINUX) // has a file to which nothing can be written, since its disk is full
    void takeSnapshot_diskFails_waitsBeforeTheNextOne() throws Exception {
        FleetMembers members = members(1);
        FleetMember member = start(members, 0, TIMEOUT);
        assertThat(member.limiter("share", Limit.of(2, HOUR)).tryAcquire("a", 1))
                .isTrue();
        FleetMachine machine = member.data().machine();
        machine.takeSnapshot();
        Path snapshots = machine.getLatestSnapshot().getFile().getPath().getParent();
        TermIndex last = machine.getLastAppliedTermIndex();
        Path full = snapshots.resolve("snapshot." + last.getTerm() + "_" + last.getIndex() + ".tmp");
        Files.createSymbolicLink(full, Path.of("/dev/full"));

        assertThatExceptionOfType(IOException.class).isThrownBy(machine::takeSnapshot);
        assertThat(full).doesNotExist();
        assertThat(machine.takeSnapshot()).isEqualTo(RaftLog.INVALID_LOG_INDEX);

        Path left = Files.createFile(snapshots.resolve("snapshot.1_2.tmp"));
        member.close();
        member = start(members, 0, TIMEOUT);
        assertThat(left).doesNotExist();
        assertThat(member.limiter("share", Limit.of(2, HOUR)).tryAcquire("a", 2))
                .isFalse();
        assertThat(member.limiter("share", Limit.of(2, HOUR)).tryAcquire("a", 1))
                .isTrue();
    }

    /** Three members and a client; one after the other leaves, comes back, and all of them do. */
    @Test
    void tryAcquire_membersLeaveAndComeBack_shareOneLimit() throws Exception {
        FleetMembers members = members(3);
        List<FleetMember> fleet = new ArrayList<>();
        for (int number = 0; number < 3; number++) {
            fleet.add(start(members, number, TIMEOUT));
        }
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(10, HOUR));

        for (int i = 0; i < 6; i++) {
            assertThat(fleet.get(i % 3).limiter("share", Limit.of(10, HOUR)).tryAcquire("a", 1))
                    .isTrue();
        }
        assertThat(client.tryAcquire("a", 1)).isTrue();
        fleet.get(0).close();
        assertThat(client.tryAcquire("a", 1)).isTrue();
        fleet.set(0, start(members, 0, TIMEOUT));
        fleet.get(1).close();
        assertThat(client.tryAcquire("a", 1)).isTrue();
        assertThat(client.tryAcquire("b", 10)).isTrue();
        assertThat(client.tryAcquireOrDelay("b", 1)).isBetween(1L, HOUR.toNanos() + 1);
        assertThat(client.refusedLocally()).isZero();
        assertThat(client.tryAcquireOrDelay("b", 1)).isBetween(1L, HOUR.toNanos() + 1);
        assertThat(client.refusedLocally()).isEqualTo(1);

        fleet.get(0).close();
        fleet.get(2).close();
        for (int number = 0; number < 3; number++) {
            fleet.set(number, start(members, number, TIMEOUT));
        }
        assertThat(client.tryAcquire("a", 1)).isTrue();
        FleetLimiter again = fleet.get(2).limiter("share", Limit.of(10, HOUR));
        assertThat(again.tryAcquire("a", 1)).isFalse();
        assertThat(again.tryAcquire("b", 1)).isFalse();
    }

    /** While they run, members do not even look at them. */
    @Test
    void tryAcquire_wallClocksAreSetAndTheLeaderLeaves_doNotMatter() throws Exception {
        FleetMembers members = members(3);
        AtomicLong ahead = new AtomicLong();
        startWithClocksAhead(members, ahead);
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(2, Duration.ofMinutes(10)));
        assertThat(client.tryAcquire("a", 2)).isTrue();

        ahead.set(Duration.ofMinutes(20).toNanos());
        DataMember first = started.get(0).data();
        Fleet.await(() -> first.leader() >= 0, "a leader");
        started.get(first.leader()).close();

        assertThat(client.tryAcquire("a", 1)).isFalse();
    }

    /** As after a cut that was longer than their patience: the engines have started again, the processes have not. */
    @Test
    void tryAcquire_wallClocksAreSetAndAllSharesEnd_doNotMatter() throws Exception {
        FleetMembers members = members(3).withSilence(Duration.ofMillis(200));
        AtomicLong ahead = new AtomicLong();
        startWithClocksAhead(members, ahead);
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(2, Duration.ofMinutes(10)));
        assertThat(client.tryAcquire("a", 2)).isTrue();

        ahead.set(Duration.ofMinutes(20).toNanos());
        for (FleetMember member : started.subList(0, 3)) {
            member.data().machine().takeSnapshot();
        }
        endAllShares();

        assertThat(client.tryAcquire("a", 1)).isFalse();
    }

    /** As after a night in which all were stopped, and the first one was alone in the morning for some seconds. */
    @Test
    void tryAcquire_allLeaveAndStartAndAllSharesEnd_theTimeOfTheirAbsenceCounts() throws Exception {
        FleetMembers members = members(3).withSilence(Duration.ofMillis(200));
        AtomicLong ahead = new AtomicLong();
        startWithClocksAhead(members, ahead);
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(2, Duration.ofMinutes(10)));
        assertThat(client.tryAcquire("a", 2)).isTrue();
        for (FleetMember member : started.subList(0, 3)) {
            member.close();
        }

        ahead.set(Duration.ofMinutes(20).toNanos());
        started.subList(0, 3).clear();
        startWithClocksAhead(members, ahead);
        Collections.rotate(started, 3); // before the client
        endAllShares();

        assertThat(client.tryAcquire("a", 2)).isTrue();
    }

    private void endAllShares() throws Exception {
        List<RaftShare> ended = new ArrayList<>();
        for (FleetMember member : started.subList(0, 3)) {
            ended.add(member.data().share());
            member.data().share().close();
        }
        for (int number = 0; number < 3; number++) {
            DataMember member = started.get(number).data();
            RaftShare before = ended.get(number);
            Fleet.await(() -> member.share() != before && member.share().takesPart(), "share of " + number);
        }
    }

    private void startWithClocksAhead(FleetMembers members, AtomicLong aheadNanos) throws IOException {
        for (int number = 0; number < 3; number++) {
            started.add(FleetMember.join(
                    members,
                    members.dataMembers().get(number),
                    dir.resolve("member-" + number),
                    TIMEOUT,
                    System::nanoTime,
                    () -> FleetMember.wallClock() + aheadNanos.get()));
        }
    }

    @Test
    void tryAcquire_oneOfThree_isUnknownAndCanBeRepeated() throws Exception {
        FleetMembers members = members(3);
        FleetMember alone = start(members, 0, Duration.ofSeconds(3));
        FleetLimiter limiter = alone.limiter("alone", Limit.of(1, HOUR));
        OutcomeUnknownException[] unknown = new OutcomeUnknownException[1];

        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> limiter.tryAcquire("a", 1))
                .satisfies(e -> unknown[0] = e)
                .withMessageStartingWith("attempt: [Request[limits=LimitSet[name=alone");

        start(members, 1, TIMEOUT);
        Fleet.await(() -> repeated(unknown[0]) == 0, "a grant");
        assertThat(unknown[0].repeat()).isZero();
        assertThat(limiter.tryAcquire("a", 1)).isFalse();
    }

    private static long repeated(OutcomeUnknownException unknown) {
        try {
            return unknown.repeat();
        } catch (OutcomeUnknownException e) {
            return -1;
        }
    }

    /** Threads whose attempts travel together: each gets its own answer. */
    @Test
    void tryAcquire_manyThreadsOfOneMember_getTheirAnswers() throws Exception {
        FleetMember member = start(members(1), 0, TIMEOUT);
        FleetLimiter limiter = member.limiter("threads", Limit.of(100, HOUR));
        List<CompletableFuture<Long>> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            threads.add(CompletableFuture.supplyAsync(
                    () -> {
                        long granted = 0;
                        for (int call = 0; call < 10; call++) {
                            granted += limiter.tryAcquire("a", 1) ? 1 : 0;
                        }
                        return granted;
                    },
                    task -> new Thread(task).start()));
        }

        assertThat(threads.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(100);
    }

    /** A leader that was given an entry of more than 4 MB would step down, again and again. */
    @Test
    void tryAcquire_manyLongKeysAtOnce_areServed() throws Exception {
        FleetMember member = start(members(1), 0, TIMEOUT);
        FleetLimiter limiter = member.limiter("long", Limit.of(1, HOUR));
        String prefix = "\u20ac".repeat(19_990);
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            String key = prefix + i;
            threads.add(
                    CompletableFuture.supplyAsync(() -> limiter.tryAcquire(key, 1), task -> new Thread(task).start()));
        }
        assertThat(threads).allMatch(CompletableFuture::join);

        FleetLimiter.Request[] most = new FleetLimiter.Request[15];
        for (int i = 0; i < most.length; i++) {
            most[i] = limiter.request("b".repeat(19_900 - i), 1);
        }
        assertThat(member.tryAcquireAllOrDelay(most)).isZero();
    }

    @Test
    void tryAcquireAll_severalKeysAndLimits_areAllOrNothing() throws Exception {
        FleetMember member = start(members(1), 0, TIMEOUT);
        FleetLimiter clients = member.limiter("clients", Limit.of(2, HOUR));
        FleetLimiter all = member.limiter("all", Limit.of(3, HOUR), Limit.ofCalls(2, HOUR));

        assertThat(member.tryAcquireAllOrDelay(clients.request("a", 1), all.request("", 2)))
                .isZero();
        assertThat(member.tryAcquireAllOrDelay(clients.request("b", 1), all.request("", 2)))
                .isPositive();
        assertThat(clients.tryAcquire("b", 2)).isTrue();
        assertThat(member.tryAcquireAllOrDelay(clients.request("a", 3))).isEqualTo(Long.MAX_VALUE);
        assertThat(all.tryAcquire("", 1)).isTrue();
    }

    /** It listens at the address that it was given, and nowhere else. */
    @Test
    void join_address_isTheOnlyOneItListensAt() throws Exception {
        FleetMembers members = members(1);
        FleetMember member = start(members, 0, TIMEOUT);
        assertThat(member.limiter("a", Limit.of(1, HOUR)).tryAcquire("a", 1)).isTrue();
        int port = members.dataMembers().get(0).port();

        for (int used : new int[] {port, port + 1}) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> new ServerSocket(used, 1, InetAddress.getByName("127.0.0.1")).close());
            new ServerSocket(used, 1, InetAddress.getByName("127.0.0.2")).close();
        }
    }

    @Test
    void join_badInput_isRejected() throws IOException {
        FleetMembers members = members(1);
        HostAndPort other = new HostAndPort("127.0.0.9", 5000);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetMember.join(members, other, dir, TIMEOUT))
                .withMessage("own: 127.0.0.9:5000 (expected: one of " + members.dataMembers() + ")");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetMember.join(members, Duration.ZERO))
                .withMessage("timeout: PT0S (expected: > 0, and at most PT10M)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetMember.join(members, Duration.ofSeconds(601)))
                .withMessage("timeout: PT10M1S (expected: > 0, and at most PT10M)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HostAndPort("a", 65_535))
                .withMessage("port: 65535 (expected: from 1 to 65534)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetMembers.of("a", other, other))
                .withMessage("dataMembers: [127.0.0.9:5000, 127.0.0.9:5000] (expected: one or more, all different)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> members.withMargin(Duration.ofNanos(-1)))
                .withMessage("margin: PT-0.000000001S (expected: from 0 to PT2562047H47M16.854775807S)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> members.withMargin(ChronoUnit.FOREVER.getDuration()))
                .withMessageStartingWith("margin: ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> members.withSilence(Duration.ofMinutes(61)))
                .withMessage("silence: PT1H1M (expected: from 100 ms to an hour)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> members.withSilence(Duration.ofMillis(99)))
                .withMessage("silence: PT0.099S (expected: from 100 ms to an hour)");
    }

    @Test
    void tryAcquire_badInput_isRejected() throws IOException {
        FleetMember client = client(members(1), TIMEOUT);
        FleetLimiter limiter = client.limiter("a", Limit.of(2, HOUR));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire("a", 0))
                .withMessage("permits: 0 (expected: at least 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.tryAcquire("x".repeat(20_001), 1))
                .withMessage("key: of length 20001 (expected: at most 20000)");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.tryAcquire(null, 1))
                .withMessage("key");
        assertThatIllegalArgumentException()
                .isThrownBy(client::tryAcquireAllOrDelay)
                .withMessage("requests: 0 (expected: 1 to 255)");
        FleetLimiter.Request[] requests =
                Collections.nCopies(16, limiter.request("x".repeat(20_000), 1)).toArray(FleetLimiter.Request[]::new);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.tryAcquireAllOrDelay(requests))
                .withMessage("requests: of 320016 characters (expected: at most 300000)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.limiter("a"))
                .withMessage("limits: 0 (expected: 1 to 255)");
        assertThat(limiter.tryAcquireOrDelay("a", 3)).isEqualTo(Long.MAX_VALUE);
    }
}
