package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import com.google.common.util.concurrent.Uninterruptibles;
import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import io.github.hotpath.examples.fleet.MemberDirectory.Step;
import io.github.hotpath.examples.support.Grants;
import io.github.hotpath.limit.Limit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.exceptions.SetConfigurationException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogBase;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.util.AutoCloseableLock;
import org.apache.ratis.util.NetUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Members in this JVM. */
@Tag("fleet")
@Timeout(600)
class FleetMemberTest {
    static final Duration TIMEOUT = Duration.ofMinutes(5); // for what hangs
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path dir;

    private final List<FleetMember> started = new ArrayList<>();
    private LongSupplier nanoTime = System::nanoTime;

    @AfterEach
    void close() throws IOException {
        for (FleetMember member : started) {
            member.close();
        }
    }

    private FleetMember start(FleetMembers members, int number, Step first, int newestFormat) throws IOException {
        String own = members.dataMembers().get(number);
        FleetMember member = FleetMember.start(members, own, directory(number), TIMEOUT, first, nanoTime, newestFormat);
        started.add(member);
        return member;
    }

    private Path directory(int number) {
        return dir.resolve("member-" + number);
    }

    private FleetMember start(FleetMembers members, int number, Step first) throws IOException {
        return start(members, number, first, FleetMachine.NEWEST_FORMAT);
    }

    private List<FleetMember> createAll(FleetMembers members) throws IOException {
        for (int number = 0; number < members.dataMembers().size(); number++) {
            start(members, number, Step.CREATED);
        }
        return new ArrayList<>(started);
    }

    private FleetMember client(FleetMembers members, Duration timeout) {
        FleetMember member = FleetMember.client(members, timeout);
        started.add(member);
        return member;
    }

    /** So many members on the loopback address. */
    static FleetMembers members(int number) throws IOException {
        String[] addresses = Fleet.freeAddresses(number).toArray(String[]::new);
        return FleetMembers.of("test", addresses).withSilence(Duration.ofSeconds(1));
    }

    private static void awaitUpToDate(FleetMember member) throws Exception {
        Fleet.await(member::isUpToDate, "up to date");
    }

    /** Ratis would end the JVM. */
    @Test
    void create_portIsTaken_throwsAndLeavesNothing() throws Exception {
        FleetMembers members = members(1);
        String own = members.dataMembers().get(0);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(NetUtils.createSocketAddr(own));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> start(members, 0, Step.CREATED))
                    .withMessageStartingWith("own: cannot listen at " + own);
        }

        FleetMember member = start(members, 0, Step.CREATED);
        assertThat(member.limiter("share", Limit.of(1, HOUR)).tryAcquire("a", 1))
                .isTrue();
    }

    /** By frames that are invalid, after requests that the member begins to answer: CVE-2025-55163. */
    @Test
    void create_clientMakesItResetStreams_closesTheConnection() throws Exception {
        Logger log = Logger.getLogger(NettyServerBuilder.class.getPackageName()); // of each reset
        log.setLevel(Level.OFF);
        FleetMembers members = members(1);
        start(members, 0, Step.CREATED);
        try (Socket socket = new Socket()) {
            socket.connect(NetUtils.createSocketAddr(members.dataMembers().get(0)));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            writeFrame(out, 4, 0, 0, new byte[0]); // SETTINGS

            int reset = -1;
            int goAway = -1;
            int last = -1;
            while (goAway < 0 && last < 4 * DataMember.MOST_RESETS) {
                for (int i = 0; i < 100; i++) {
                    last += 2;
                    // HEADERS: POST, http, the path, and the type of the content
                    String path = "\u0004\u0002/x\u000f\u0010\u0010application/grpc";
                    writeFrame(out, 1, 4, last, ("\u0083\u0086" + path).getBytes(StandardCharsets.ISO_8859_1));
                    writeFrame(out, 8, 0, last, new byte[4]); // WINDOW_UPDATE by nothing
                }
                out.flush();
                while (goAway < 0 && reset != last) {
                    int lengthAndType = in.readInt();
                    in.readByte();
                    int of = in.readInt();
                    byte[] payload = in.readNBytes(lengthAndType >>> 8);
                    switch (lengthAndType & 0xff) {
                        case 3 -> reset = of; // RST_STREAM
                        case 7 -> goAway = payload[7]; // GOAWAY
                        default -> {}
                    }
                }
            }
            assertThat(reset).isPositive();
            assertThat(goAway).isEqualTo(0xb); // ENHANCE_YOUR_CALM
        } finally {
            log.setLevel(null);
        }
    }

    private static void writeFrame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeInt(payload.length << 8 | type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
    }

    /** Three members and a client; one after the other leaves, comes back, and all of them do. */
    @Test
    void tryAcquire_membersLeaveAndComeBack_shareOneLimit() throws Exception {
        FleetMembers members = members(3);
        List<FleetMember> fleet = createAll(members);
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(10, HOUR));

        for (int i = 0; i < 6; i++) {
            assertThat(fleet.get(i % 3).limiter("share", Limit.of(10, HOUR)).tryAcquire("a", 1))
                    .isTrue();
        }
        assertThat(client.tryAcquire("a", 1)).isTrue();
        fleet.get(0).close();
        assertThat(client.tryAcquire("a", 1)).isTrue();
        fleet.set(0, start(members, 0, Step.MEMBER));
        awaitUpToDate(fleet.get(0));
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
            fleet.set(number, start(members, number, Step.MEMBER));
        }
        FleetLimiter again = fleet.get(2).limiter("share", Limit.of(10, HOUR));
        assertThat(again.tryAcquire("b", 1)).isFalse();
        assertThat(again.tryAcquire("a", 1)).isTrue();
        assertThat(again.tryAcquire("a", 1)).isFalse();
    }

    /** Its directory is lost: it takes no part, until it is replaced; then it has all that the others have. */
    @Test
    void create_fleetRunsAlready_takesNoPartUntilReplaced() throws Exception {
        FleetMembers members = members(3);
        List<FleetMember> fleet = createAll(members);
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(2, HOUR));
        assertThat(client.tryAcquire("a", 2)).isTrue();
        for (int lost = 0; lost < 3; lost += 2) { // the first one, which forms a fleet, and another one
            fleet.get(lost).close();
            MoreFiles.deleteRecursively(directory(lost), RecursiveDeleteOption.ALLOW_INSECURE);
            FleetMember empty = start(members, lost, Step.CREATED);
            Fleet.await(() -> empty.problem().orElse("").contains("has lost its directory"), "refused");
            empty.close();
            MoreFiles.deleteRecursively(directory(lost), RecursiveDeleteOption.ALLOW_INSECURE);

            FleetMember replacement = start(members, lost, Step.REPLACING);
            awaitUpToDate(replacement);
            replacement.close(); // and it comes back as an ordinary member
            fleet.set(lost, start(members, lost, Step.MEMBER));
            awaitUpToDate(fleet.get(lost));
        }
        fleet.get(1).close(); // of those that had the grant, none is left

        assertThat(client(members, TIMEOUT).limiter("share", Limit.of(2, HOUR)).tryAcquire("a", 1))
                .isFalse();
        assertThat(client.tryAcquire("b", 2)).isTrue();
    }

    /** It was given up, but not lost, and the member has been replaced since then. */
    @Test
    void replace_requestToLeaveComesLate_isRefused() throws Exception {
        FleetMembers members = members(3);
        List<FleetMember> fleet = createAll(members);
        for (FleetMember member : fleet) {
            awaitUpToDate(member);
        }
        try (FleetClient client = new FleetClient(members, TIMEOUT)) {
            client.send(FleetMachine.request(1, List.of()), TIMEOUT.toNanos()); // finds the leader
            List<RaftPeer> before = client.configuration();
            assertThat(before).hasSize(3);
            fleet.get(2).close();
            MoreFiles.deleteRecursively(directory(2), RecursiveDeleteOption.ALLOW_INSECURE);
            awaitUpToDate(start(members, 2, Step.REPLACING));
            List<RaftPeer> left = new ArrayList<>(before);
            left.remove(members.peers().get(2));
            client.send(FleetMachine.request(1, List.of()), TIMEOUT.toNanos());

            assertThatExceptionOfType(SetConfigurationException.class)
                    .isThrownBy(() -> client.setConfiguration(before, left))
                    .withMessageContaining("is different than the request");
            assertThat(client.configuration()).hasSize(3);
        }
    }

    /** A member may have begun to form its group, in a call that was given up, and have failed. */
    @Test
    void create_groupExistsAtAMemberButDoesNotRun_isToldAgain() throws Exception {
        FleetMembers members = members(3);
        try (FakeMember other = new FakeMember(members.dataMembers().get(2), () -> null)) {
            start(members, 0, Step.CREATED);
            start(members, 1, Step.CREATED);
            Fleet.await(() -> other.questions() > 0, "a question");
            assertThat(directory(0).resolve("fleet.properties")).content().contains("step=FORMING");
        }
        start(members, 2, Step.CREATED);
        for (FleetMember member : started) {
            awaitUpToDate(member);
        }
    }

    /** It would begin to make attempts while a member could still be created again, with an empty log. */
    @Test
    void upgrade_fleetIsNotComplete_isRefused() throws Exception {
        FleetMembers members = members(3);
        start(members, 1, Step.CREATED);
        start(members, 2, Step.CREATED);
        try (FleetClient client = new FleetClient(members, TIMEOUT)) {
            client.add(members.peers().get(1), members.raftGroup());
            client.add(members.peers().get(2), members.raftGroup());
            start(members, 0, Step.CREATED); // it takes the group for begun, and makes no first entry
            client.add(members.peers().get(0), members.raftGroup());
        }
        FleetMember client = client(members, TIMEOUT);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(client::upgrade)
                .withMessageStartingWith("the fleet is not complete yet, at ");
    }

    /** No attempt is made before all members have been created. */
    @Test
    void create_oneIsMissing_nothingIsGranted() throws Exception {
        FleetMembers members = members(3);
        start(members, 0, Step.CREATED);
        start(members, 1, Step.CREATED);
        FleetLimiter hasty = client(members, Duration.ofSeconds(3)).limiter("share", Limit.of(1, HOUR));

        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> hasty.tryAcquire("a", 1))
                .withMessageStartingWith("attempt: [Request[limits=LimitSet[name=share");
        Fleet.await(() -> started.get(0).problem().orElse("").startsWith("CREATED"), "the problem");
        start(members, 2, Step.CREATED);
        for (FleetMember member : started) {
            awaitUpToDate(member);
        }
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(1, HOUR));
        assertThat(client.tryAcquire("b", 1)).isTrue();
    }

    private static RaftClient raftClient(FleetMembers members) {
        return RaftClient.newBuilder()
                .setRaftGroup(members.raftGroup())
                .setProperties(new RaftProperties())
                .build();
    }

    private static Message ask(RaftClient client, RaftPeer peer, Message question) throws IOException {
        return client.io()
                .sendStaleRead(question, RaftLog.INVALID_LOG_INDEX, peer.getId())
                .getMessage();
    }

    /** An error of Ratis would end the connection, and each client asks several times a second who leads. */
    @Test
    void send_toAFollower_isAnswered() throws Exception {
        FleetMembers members = members(3);
        List<FleetMember> fleet = createAll(members);
        assertThat(client(members, TIMEOUT).limiter("share", Limit.of(1, HOUR)).tryAcquire("a", 1))
                .isTrue();
        int follower = fleet.get(0).data().isLeader() ? 1 : 0;
        try (RaftClient client = raftClient(members)) {
            Message request = Message.valueOf(ByteString.copyFrom(FleetMachine.request(1, List.of())));
            Message answer = ask(client, members.peers().get(follower), request);
            assertThat(Outcome.readFrom(answer.getContent().asReadOnlyByteBuffer())
                            .format())
                    .isZero();
        }
    }

    /** What has not been checked might not be applied, and then no member could go on. */
    @Test
    void send_entryOfAnother_isRefused() throws Exception {
        FleetMembers members = members(1);
        FleetLimiter limiter = start(members, 0, Step.CREATED).limiter("share", Limit.of(2, HOUR));
        assertThat(limiter.tryAcquire("a", 1)).isTrue();
        try (RaftClient client = raftClient(members)) {
            assertThatExceptionOfType(StateMachineException.class)
                    .isThrownBy(() -> client.io().send(Message.valueOf("entry")))
                    .withMessageContaining("(expected: of this member)");
            assertThatExceptionOfType(StateMachineException.class)
                    .isThrownBy(() -> ask(client, members.peers().get(0), Message.valueOf("request")))
                    .withMessageContaining("(expected: at most 1, by this program)");
        }
        assertThat(limiter.tryAcquire("a", 1)).isTrue();
    }

    /** As Ratis can after a snapshot of the leader; such a follower votes, and its log is complete. */
    @Test
    void tryAcquire_leaderAppliesNothing_endsAndTheOthersServe() throws Exception {
        FleetMembers members = members(3);
        List<FleetMember> fleet = createAll(members);
        FleetLimiter client = client(members, TIMEOUT).limiter("share", Limit.of(2, HOUR));
        assertThat(client.tryAcquire("a", 1)).isTrue();
        int follower = fleet.get(0).data().isLeader() ? 1 : 0;
        FleetMember hung = fleet.get(follower);
        awaitUpToDate(hung);
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch served = new CountDownLatch(1);
        Thread holder = new Thread(() -> hung.data().machine().read(state -> {
            hangs.countDown();
            Uninterruptibles.awaitUninterruptibly(served); // no entry is applied meanwhile
            return 0;
        }));
        holder.start();
        hangs.await();
        try (RaftClient admin = raftClient(members)) {
            admin.admin().transferLeadership(members.peers().get(follower).getId(), TIMEOUT.toMillis());
            assertThat(client.tryAcquire("b", 1)).isTrue();
            assertThat(hung.problem()).hasValue(DataMember.HUNG);
        } finally {
            served.countDown();
            holder.join();
        }
    }

    /** Nobody could be served, and nothing that is committed tells it, since the third member has left. */
    @Test
    void problem_followerWritesNothing_isTold() throws Exception {
        FleetMembers members = members(3);
        List<FleetMember> fleet = createAll(members);
        FleetLimiter limiter = client(members, TIMEOUT).limiter("share", Limit.of(1_000, HOUR));
        assertThat(limiter.tryAcquire("a", 1)).isTrue();
        for (FleetMember member : fleet) {
            awaitUpToDate(member);
        }
        List<FleetMember> followers =
                fleet.stream().filter(member -> !member.data().isLeader()).toList();
        FleetMember hung = followers.get(0);
        RaftLogBase entries = (RaftLogBase) hung.data().division().getRaftLog();
        CompletableFuture<Boolean> attempt;
        AutoCloseableLock held = entries.readLock();
        try {
            followers.get(1).close();
            attempt = CompletableFuture.supplyAsync(() -> limiter.tryAcquire("a", 1), task -> new Thread(task).start());
            Fleet.await(
                    () -> hung.problem().orElse("").startsWith("nothing is written to the log after entry"), "told");
        } finally {
            held.close();
        }
        assertThat(attempt.get()).isTrue();
        awaitUpToDate(hung);
    }

    /** If its leader has died, or has all entries, the rest of it never comes. */
    @Test
    void isUpToDate_snapshotHasBrokenOff_isToldAllTheSame() throws Exception {
        FleetMembers members = members(1);
        FleetMember member = createAll(members).get(0);
        FleetLimiter limiter = member.limiter("share", Limit.of(2, HOUR));
        assertThat(limiter.tryAcquire("a", 1)).isTrue();
        member.data().machine().pause();
        assertThat(limiter.tryAcquire("a", 1)).isTrue();

        awaitUpToDate(member);
    }

    /** One that names the address of another fleet by mistake. */
    @Test
    void create_otherFleetNamesThisMember_isRefusedThere() throws Exception {
        FleetMembers members = members(1);
        FleetMember member = createAll(members).get(0);
        assertThat(member.limiter("share", Limit.of(2, HOUR)).tryAcquire("a", 1))
                .isTrue();
        FleetMembers other = FleetMembers.of("other", members.dataMembers().get(0));
        try (FleetClient client = new FleetClient(other, Duration.ofSeconds(30))) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> client.add(other.peers().get(0), other.raftGroup()));
        }
        assertThat(member.limiter("share", Limit.of(2, HOUR)).tryAcquire("a", 1))
                .isTrue();
        member.close();

        FleetMember again = start(members, 0, Step.MEMBER);
        assertThat(again.limiter("share", Limit.of(2, HOUR)).tryAcquire("a", 1)).isFalse();
    }

    /** The program is replaced at one member after the other; then all use what only the new one reads. */
    @Test
    void upgrade_membersOfTwoVersions_worksOrIsRefused() throws Exception {
        FleetMembers members = members(3);
        List<FleetMember> fleet = createAll(members);
        FleetMember client = client(members, TIMEOUT);
        FleetLimiter limiter = client.limiter("share", Limit.of(8, HOUR));
        assertThat(limiter.tryAcquire("a", 1)).isTrue();
        for (int number = 0; number < 3; number++) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> client.upgrade(2))
                    .withMessageStartingWith("format: 2 (expected: at most 1, by ");
            fleet.get(number).close();
            fleet.set(number, start(members, number, Step.MEMBER, 2));
            awaitUpToDate(fleet.get(number));
            assertThat(limiter.tryAcquire("a", 1)).isTrue();
        }
        assertThat(client.upgrade(2)).isEqualTo(2);
        assertThat(client.upgrade(1)).isEqualTo(2); // never back
        assertThat(limiter.tryAcquire("a", 1)).isTrue();

        fleet.get(0).close();
        FleetMember old = start(members, 0, Step.MEMBER, 1);
        Fleet.await(() -> old.problem().orElse("").contains("format of the fleet: 2 (expected: at most 1"), "refused");
        assertThat(limiter.tryAcquire("a", 3)).isTrue();
        assertThat(limiter.tryAcquire("a", 1)).isFalse();
    }

    /** What a killed process left is written over, and what cannot be right is refused. */
    @Test
    void join_snapshotIsDamaged_isRefused() throws Exception {
        FleetMembers members = members(1);
        FleetMember member = start(members, 0, Step.CREATED);
        assertThat(member.limiter("share", Limit.of(2, HOUR)).tryAcquire("a", 1))
                .isTrue();
        Path snapshot = takeSnapshot(member);
        member.close();
        member = start(members, 0, Step.MEMBER);
        FleetLimiter again = member.limiter("share", Limit.of(2, HOUR));
        assertThat(again.tryAcquire("a", 2)).isFalse();
        assertThat(again.tryAcquire("a", 1)).isTrue();
        Path left = Files.write(snapshot.resolveSibling("next.tmp"), new byte[100_000]);
        snapshot = takeSnapshot(member);
        assertThat(left).doesNotExist();
        member.close();
        member = start(members, 0, Step.MEMBER);
        assertThat(member.limiter("share", Limit.of(2, HOUR)).tryAcquire("a", 1))
                .isFalse();
        member.close();

        byte[] bytes = Files.readAllBytes(snapshot);
        bytes[bytes.length - 1] ^= 1;
        Files.write(snapshot, bytes);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> start(members, 0, Step.MEMBER))
                .withMessageContaining("did not match stored MD5 checksum");
    }

    private static Path takeSnapshot(FleetMember member) {
        FleetMachine machine = member.data().machine();
        machine.takeSnapshot();
        machine.awaitWriter();
        return machine.getLatestSnapshot().getFile().getPath();
    }

    /** It would be tried after each entry. */
    @Test
    @EnabledOnOs(OS.LINUX) // has a file to which nothing can be written, since its disk is full
    void takeSnapshot_diskFails_waitsBeforeTheNextOne() throws Exception {
        FleetMember member = start(members(1), 0, Step.CREATED);
        FleetLimiter limiter = member.limiter("share", Limit.of(2, HOUR));
        assertThat(limiter.tryAcquire("a", 1)).isTrue();
        Path first = takeSnapshot(member);
        assertThat(limiter.tryAcquire("a", 1)).isTrue();
        FleetMachine machine = member.data().machine();
        Path full = first.resolveSibling("next.tmp");
        Files.createSymbolicLink(full, Path.of("/dev/full"));
        machine.takeSnapshot(); // tells of the first one
        machine.takeSnapshot();
        machine.awaitWriter();
        assertThat(full).doesNotExist();

        machine.takeSnapshot();
        machine.awaitWriter();
        assertThat(machine.getLatestSnapshot().getFile().getPath()).isEqualTo(first);
        assertThat(limiter.tryAcquire("b", 1)).isTrue();
    }

    /** The checker of the other tests sees a limit that is exceeded: here time runs ten times as fast as it does. */
    @Test
    void tryAcquire_clockOfTheLeaderRunsFast_isCaught() throws Exception {
        nanoTime = () -> 10 * System.nanoTime();
        FleetMember member = start(members(1), 0, Step.CREATED);
        Duration interval = Duration.ofSeconds(10);
        FleetLimiter limiter = member.limiter("fast", Limit.of(5, interval));
        Path file = dir.resolve("calls");
        GrantLog log = GrantLog.create(file, 10); // the last of them after a second
        Fleet.await(
                () -> {
                    Clients.call(limiter, 0, log);
                    return log.isFull();
                },
                "grants");

        GrantLog.Report report = new GrantLog.Report();
        report.add(GrantLog.read(file));
        Grants grants = report.grants();
        assertThat(grants.most(interval.toNanos())).isGreaterThan(5);
    }

    /** Threads whose attempts travel together: each gets its own answer. */
    @Test
    void tryAcquire_manyThreadsOfOneMember_getTheirAnswers() throws Exception {
        FleetMember member = start(members(1), 0, Step.CREATED);
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

        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        member.bindTo(meters);
        assertThat(meters.get("fleet.attempts")
                        .tag("outcome", "granted")
                        .functionCounter()
                        .count())
                .isEqualTo(100);
        assertThat(Stream.of("refused", "refused locally")
                        .mapToDouble(outcome -> meters.get("fleet.attempts")
                                .tag("outcome", outcome)
                                .functionCounter()
                                .count())
                        .sum())
                .isEqualTo(100);
        assertThat(meters.get("fleet.leader").gauge().value()).isEqualTo(1);
        assertThat(meters.get("fleet.keys").gauge().value()).isEqualTo(1);
    }

    /** A leader that was given an entry of more than 4 MB would step down, again and again. */
    @Test
    void tryAcquire_manyLongKeysAtOnce_areServed() throws Exception {
        FleetMember member = start(members(1), 0, Step.CREATED);
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
        Arrays.setAll(most, i -> limiter.request("b".repeat(19_900 - i), 1));
        assertThat(member.tryAcquireAllOrDelay(most)).isZero();
    }

    @Test
    void tryAcquireAll_severalKeysAndLimits_areAllOrNothing() throws Exception {
        FleetMember member = start(members(1), 0, Step.CREATED);
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
    void create_address_isTheOnlyOneItListensAt() throws Exception {
        FleetMembers members = members(1);
        start(members, 0, Step.CREATED);
        int port = NetUtils.createSocketAddr(members.dataMembers().get(0)).getPort();

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1")).close());
        new ServerSocket(port, 1, InetAddress.getByName("127.0.0.2")).close();
    }

    @Test
    void start_badInput_isRejected() throws IOException {
        FleetMembers members = members(1);
        String other = "127.0.0.9:5000";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetMember.join(members, other, dir, TIMEOUT))
                .withMessage("own: 127.0.0.9:5000 (expected: one of " + members.dataMembers() + ")");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetMember.client(members, Duration.ZERO))
                .withMessage("timeout: PT0S (expected: > 0, and at most PT10M)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetMember.client(members, Duration.ofSeconds(601)))
                .withMessage("timeout: PT10M1S (expected: > 0, and at most PT10M)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetMembers.of("a", "b"))
                .withMessage("dataMembers: b (expected: host:port)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetMembers.of("a", other, other))
                .withMessage("dataMembers: [127.0.0.9:5000, 127.0.0.9:5000] (expected: one or more, all different)");
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
                Collections.nCopies(60, limiter.request("x".repeat(20_000), 1)).toArray(FleetLimiter.Request[]::new);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.tryAcquireAllOrDelay(requests))
                .withMessage("requests: of 1201621 bytes (expected: at most 1048576)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.limiter("a"))
                .withMessage("limits: 0 (expected: 1 to 255)");
        assertThat(limiter.tryAcquireOrDelay("a", 3)).isEqualTo(Long.MAX_VALUE);
    }
}
