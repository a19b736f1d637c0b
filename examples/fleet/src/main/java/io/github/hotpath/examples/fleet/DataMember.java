package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMachine.Answer;
import io.github.hotpath.examples.fleet.MemberDirectory.Step;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.NetUtils;
import org.apache.ratis.util.SizeInBytes;
import org.jspecify.annotations.Nullable;

/** The part of a member that has data: its server of Apache Ratis, and its first start. Thread-safe. */
final class DataMember implements AutoCloseable {
    /**
     * The most entries that are sent to a member at once. Ratis 3.2.0 hangs if they do not fit into the queue for the
     * disk, which takes 4,096 (RATIS-2314).
     */
    private static final int MOST_ENTRIES_AT_ONCE = 1_000;

    /**
     * A connection on which more streams are reset in half a minute is closed. gRPC has no limit of its own, so a
     * client could make the member begin, and give up, any number of requests (CVE-2025-55163).
     */
    static final int MOST_RESETS = 1_000;

    // Less in tests, in which members come back to a log that has been deleted meanwhile.
    private static final int ENTRIES_BETWEEN_SNAPSHOTS = Integer.getInteger("hotpath.fleet.snapshot", 20_000);
    private static final int SEGMENT_KILOBYTES = Integer.getInteger("hotpath.fleet.segment", 8 * 1024);

    /**
     * For so long, or four silences if that is longer, may a new leader apply nothing of what it could, or any member
     * write nothing. A disk that is busy hardly ever takes as long, and a member that has ended must be started again.
     */
    private static final Duration LONGEST_STALL = Duration.ofSeconds(10);

    /** After so many connections in turn that failed, another member counts as cut off. */
    private static final int CUT = 3;

    /** The problem of a leader that has ended since it hung. */
    static final String HUNG = "the engine hung, and has ended";

    private static final Duration FOREVER = Duration.ofDays(365);

    /** For an answer in the first start. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final FleetMembers members;
    private final int own;
    private final RaftPeer self;
    private final MemberDirectory directory;
    private final FleetMachine machine;
    private final FleetLog log;
    private final RaftServer server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread starter = new Thread(this::startAndWatch, "fleet-start");

    /** What the first start waits for, or null if it is over. */
    private volatile @Nullable String waitsFor;

    private volatile boolean hangs;

    /** Starts the member with that number. If it is its first start, that goes on in a thread of its own. */
    DataMember(FleetMembers members, int own, MemberDirectory directory, FleetMachine machine, FleetLog log)
            throws IOException {
        this.members = members;
        this.own = own;
        RaftPeer first = members.peers().get(own);
        self = directory.peer(first);
        this.directory = directory;
        this.machine = machine;
        this.log = log;
        InetSocketAddress address =
                NetUtils.createSocketAddr(members.dataMembers().get(own));
        checkFree(address);
        Parameters parameters = members.parameters();
        RequestsInTurn inTurn = new RequestsInTurn();
        GrpcConfigKeys.Server.setServicesCustomizer(
                parameters, (grpc, types) -> grpc.intercept(inTurn).maxRstFramesPerWindow(MOST_RESETS, 30));
        RaftServer.Builder builder = RaftServer.newBuilder()
                .setServerId(self.getId())
                .setStateMachineRegistry(group -> {
                    if (!group.equals(members.group())) {
                        throw new IllegalArgumentException("group: of another fleet, whose addresses may be wrong");
                    }
                    return machine;
                })
                .setProperties(properties(address))
                .setParameters(parameters)
                .setOption(RaftStorage.StartupOption.RECOVER);
        Step step = directory.step();
        if (self.equals(first) && directory.hasLog(members)) { // otherwise the members are what the log says
            builder.setGroup(members.raftGroup());
        }
        server = builder.build();
        try {
            server.start();
        } catch (IOException | RuntimeException e) {
            server.close();
            throw new IOException("dir: " + directory.path() + ": " + e.getMessage(), e);
        }
        waitsFor = step == Step.MEMBER ? null : "the first start";
        log.info("started, " + step);
        starter.setDaemon(true);
        starter.start();
    }

    /** Ratis ends the JVM if it cannot listen. */
    private void checkFree(InetSocketAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
        } catch (IOException e) {
            throw new IOException(
                    "own: cannot listen at " + members.dataMembers().get(own) + ": " + e.getMessage(), e);
        }
    }

    private RaftProperties properties(InetSocketAddress address) {
        RaftProperties properties = new RaftProperties();
        GrpcConfigKeys.Server.setHost(properties, address.getHostString());
        GrpcConfigKeys.Server.setPort(properties, address.getPort());
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory.path().toFile()));

        Duration silence = members.silence();
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, FleetMembers.time(silence));
        // A follower looks after that time whether it has heard the leader, and if it has not, after that time again.
        RaftServerConfigKeys.Rpc.setTimeoutMax(
                properties, FleetMembers.time(silence.multipliedBy(5).dividedBy(4)));
        // It looks again later if it was late, so on a busy machine it would never stand for election.
        RaftServerConfigKeys.setSleepDeviationThreshold(properties, FleetMembers.time(FOREVER));
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, FleetMembers.time(silence.multipliedBy(2)));
        RaftServerConfigKeys.Rpc.setSlownessTimeout(properties, FleetMembers.time(silence.multipliedBy(4)));
        // A leader that was cut off stands again after that time; by default after 10 s.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, FleetMembers.time(silence));
        // A follower whose host refuses connections is asked again after these times, not at once.
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "1ms,2,100ms,1000000000");
        RaftServerConfigKeys.Log.Appender.setBufferElementLimit(properties, MOST_ENTRIES_AT_ONCE);
        // A follower that gets a snapshot answers each part of it, and otherwise nothing.
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(properties, SizeInBytes.ONE_MB);
        RaftServerConfigKeys.setCloseThreshold(properties, FleetMembers.time(FOREVER)); // after a pause
        RaftServerConfigKeys.setStagingTimeout(properties, FleetMembers.time(Duration.ofMinutes(1)));
        // No entry is sent again, and the replies take memory.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, FleetMembers.time(silence.multipliedBy(10)));
        RaftServerConfigKeys.Log.Appender.setWaitTimeMin(
                properties, FleetMembers.time(Duration.ZERO)); // it delays each entry
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false); // it is another entry after each one
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false); // the log is there
        // Not all members at the same entry.
        int later = ENTRIES_BETWEEN_SNAPSHOTS * own / members.dataMembers().size();
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, ENTRIES_BETWEEN_SNAPSHOTS + later);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, 2);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, Math.min(1_024, ENTRIES_BETWEEN_SNAPSHOTS));
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(SEGMENT_KILOBYTES + "KB"));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(SEGMENT_KILOBYTES / 8 + "KB"));
        return properties;
    }

    private void startAndWatch() {
        try {
            if (start()) {
                watch();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        } catch (IOException | RuntimeException e) {
            log.error("the engine is not watched any more", e);
        }
    }

    /** The first start, step by step; each is repeated until it succeeds. Returns whether all did. */
    private boolean start() throws InterruptedException, IOException {
        try (FleetClient client = new FleetClient(members, PATIENCE)) {
            while (!isStarted()) {
                try {
                    step(client);
                } catch (LostException e) {
                    waitsFor = e.getMessage();
                    log.error("the first start has failed: " + waitsFor, e);
                    return false;
                } catch (IOException e) {
                    waitsFor = directory.step() + ", " + e.getMessage();
                    log.everyMinute(Level.INFO, "waits, " + directory.step(), e.getMessage());
                }
                if (awaitClosed()) {
                    return false;
                }
            }
        }
        waitsFor = null;
        return true;
    }

    private int quarterMillis() {
        return (int) members.silence().toMillis() / 4;
    }

    private boolean awaitClosed() throws InterruptedException {
        return closed.await(quarterMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * A follower that cannot write to its log still votes, so it can become the leader, which never serves and never
     * leaves: then it ends, and the others choose another one. As long as it is a follower, it says so.
     */
    private void watch() throws InterruptedException, IOException {
        Map<RaftPeer, Integer> failures = new HashMap<>();
        long before = -1;
        int same = 0;
        int most = Math.max(16, (int) LONGEST_STALL.toMillis() / quarterMillis());
        for (int quarters = 0; !awaitClosed(); quarters++) {
            reconnect(failures, quarters % 4 == 0);
            RaftServer.Division division = division();
            DivisionInfo info = division.getInfo();
            if (!info.getLifeCycleState().isRunning()) {
                continue; // there may be no log yet
            }
            RaftLog entries = division.getRaftLog();
            boolean leads = info.isLeader();
            long flushed = entries.getFlushIndex();
            long now = leads ? info.getLastAppliedIndex() + flushed : flushed;
            boolean waits = leads
                    ? entries.getNextIndex() - 1 > flushed
                            || !info.isLeaderReady() && info.getLastAppliedIndex() < entries.getLastCommittedIndex()
                    : FleetMachine.unfinished(info) > 0;
            same = waits && now == before ? same + 1 : 0;
            before = now;
            hangs = same >= most;
            if (leads && (hangs || machine.failure() != null)) {
                log.info("ends as the leader: " + (hangs ? "hangs after entry " + flushed : machine.failure()));
                server.close();
                return;
            }
        }
    }

    /**
     * A connection that was cut stays silent after the cut for as long again, since TCP doubles the time until it sends
     * once more; a leader whom the next fault chose meanwhile would not be heard. So another member that can be reached
     * again gets new connections. Tries those that could not be reached, and {@code all} the others now and then.
     */
    private void reconnect(Map<RaftPeer, Integer> failures, boolean all) throws IOException {
        for (RaftPeer other : without(division().getRaftConf().getAllPeers())) {
            int failed = failures.getOrDefault(other, 0);
            if (failed == 0 && !all) {
                continue;
            }
            try (Socket socket = new Socket()) {
                socket.connect(NetUtils.createSocketAddr(other.getAddress()), quarterMillis());
            } catch (IOException e) {
                failures.put(other, failed + 1);
                continue;
            }
            failures.remove(other);
            if (failed >= CUT) {
                log.info("reaches " + other.getAddress() + " again");
                IOException reason = new IOException("cut");
                FleetClient.reconnect(() -> server.getServerRpc().handleException(other.getId(), reason, true));
            }
        }
    }

    private boolean isStarted() {
        return directory.step() == Step.MEMBER && (own != 0 || machine.read(FleetState::format) > 0);
    }

    private void step(FleetClient client) throws IOException {
        switch (directory.step()) {
            case CREATED -> {
                if (own == 0) {
                    awaitCreated(client);
                } else {
                    awaitFormed(client);
                }
            }
            case FORMING -> form(client);
            case REPLACING -> leave(client);
            case REPLACED -> comeBack(client);
            case MEMBER -> begin(client);
        }
    }

    private void reach(Step step) throws IOException {
        directory.reach(step);
        log.info("is " + step);
    }

    private List<RaftPeer> without(Collection<RaftPeer> peers) {
        return peers.stream()
                .filter(peer -> !peer.getAddress().equals(self.getAddress()))
                .toList();
    }

    /** At the first member: waits until all are created, and none is part of a group. */
    private void awaitCreated(FleetClient client) throws IOException {
        for (RaftPeer other : without(members.peers())) {
            if (client.groups(other).contains(members.group())) {
                throw new LostException(other.getAddress());
            }
        }
        reach(Step.FORMING);
    }

    /** At the first member: tells all of them the group. None is told any more when it is on disk that all were. */
    private void form(FleetClient client) throws IOException {
        for (RaftPeer peer : members.peers()) {
            client.add(peer, members.raftGroup());
            client.ask(peer); // it answers if the group runs there; that it was told before is no proof
        }
        reach(Step.MEMBER);
    }

    /** At the first member: the first entry, when all have the beginning of the log. No attempt is made before it. */
    private void begin(FleetClient client) throws IOException {
        int format = Integer.MAX_VALUE;
        for (RaftPeer peer : members.peers()) {
            Answer answer = client.ask(peer);
            if (answer.format() > 0) {
                return; // it comes to this member, too
            }
            if (answer.applied() < 0) {
                throw new IOException("no entry of the log is at " + peer.getAddress());
            }
            format = Math.min(format, answer.newest());
        }
        client.send(FleetMachine.request(format, List.of()), PATIENCE.toNanos());
    }

    /** At the other members: waits until the first one has told the group. */
    private void awaitFormed(FleetClient client) throws IOException {
        String begun = null;
        for (RaftPeer other : without(members.peers())) { // before looking whether this one was told
            try {
                if (client.groups(other).contains(members.group())
                        && client.ask(other).format() > 0) {
                    begun = other.getAddress();
                }
            } catch (IOException e) {
                log.everyMinute(Level.INFO, "the first start waits for " + other.getAddress(), e.getMessage());
            }
        }
        if (client.groups(members.peers().get(own)).contains(members.group())) {
            reach(Step.MEMBER);
        } else if (begun != null) {
            throw new LostException(begun);
        }
    }

    /** The others agree that the member, whose directory is lost, has left. */
    private void leave(FleetClient client) throws IOException {
        client.change(this::without);
        reach(Step.REPLACED);
    }

    /** The others agree that it is a member, which gets all that they have before it counts. */
    private void comeBack(FleetClient client) throws IOException {
        client.add(members.peers().get(own), RaftGroup.valueOf(members.group()));
        client.change(
                now -> Stream.concat(without(now).stream(), Stream.of(self)).toList());
        reach(Step.MEMBER);
    }

    /** The group has begun without the member, as it seems to itself: it has lost its directory. */
    private static final class LostException extends IOException {
        private static final long serialVersionUID = 1;

        LostException(String other) {
            super("the fleet runs already, at " + other
                    + ", so this member has lost its directory (expected: replace it)");
        }
    }

    /** Returns why this member is no substitute for another one now, or nothing if it is. */
    Optional<String> problem() {
        String reason = machine.failure() != null ? machine.failure() : waitsFor;
        if (reason != null) {
            return Optional.of(reason);
        }
        RaftServer.Division division;
        try {
            division = division();
        } catch (IOException e) {
            return Optional.of("the engine does not run: " + e.getMessage());
        }
        DivisionInfo info = division.getInfo();
        if (info.getLifeCycleState().isClosingOrClosed()) {
            return Optional.of(hangs ? HUNG : "the engine has ended");
        }
        RaftPeerId leader = info.getLeaderId();
        if (leader == null || info.isLeader() && !info.isLeaderReady()) {
            return Optional.of("no leader is known");
        }
        if (hangs) {
            return Optional.of("nothing is written to the log after entry "
                    + division.getRaftLog().getFlushIndex());
        }
        long committed = -1;
        boolean hasHeard = false; // one that was just started may know the leader before it knows how far that is
        for (CommitInfoProto commit : division.getCommitInfos()) {
            committed = Math.max(committed, commit.getCommitIndex());
            hasHeard |= commit.getServer().getId().toStringUtf8().equals(leader.toString());
        }
        long applied = info.getLastAppliedIndex();
        return hasHeard && applied >= committed
                ? Optional.empty()
                : Optional.of("entry " + applied + " of " + committed + " is applied");
    }

    /** Returns what Ratis knows of the group. */
    RaftServer.Division division() throws IOException {
        return server.getDivision(members.group());
    }

    /** Returns whether this member is the leader, and serves. */
    boolean isLeader() {
        try {
            return FleetMachine.leads(division().getInfo());
        } catch (IOException e) {
            return false;
        }
    }

    FleetMachine machine() {
        return machine;
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        starter.interrupt();
        server.close();
        log.info("left");
    }
}
