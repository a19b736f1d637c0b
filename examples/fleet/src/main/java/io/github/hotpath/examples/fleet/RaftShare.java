package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import io.github.hotpath.examples.fleet.FleetMembers.Tls;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/** The share of a member in the consensus, by Apache Ratis, from its start to its end. Thread-safe. */
final class RaftShare implements AutoCloseable {
    /** No member is known to be the leader. */
    static final int NO_LEADER = -1;

    /** Longer than any that a member makes. A leader steps down if an entry is longer than 4 MB. */
    private static final int LONGEST_BATCH = 3 << 20;

    /**
     * The most entries that are sent to a member at once. Ratis 3.2.0 hangs if they do not fit into the queue for the
     * disk, which takes 4,096 (RATIS-2314).
     */
    private static final int MOST_ENTRIES_AT_ONCE = 1_000;

    /** A leader that has no majority for so many silences is none any more, and all its entries have failed. */
    private static final int OVERDUE = 4;

    // Less in tests, in which members come back to a log that has been deleted meanwhile.
    private static final int ENTRIES_BETWEEN_SNAPSHOTS = Integer.getInteger("hotpath.fleet.snapshot", 20_000);
    private static final int SEGMENT_KILOBYTES = Integer.getInteger("hotpath.fleet.segment", 8 * 1024);

    static {
        keepJvm();
    }

    private final FleetMembers members;
    private final int own;
    private final long overdueNanos;
    private final FleetMachine machine;
    private final RaftServer server;
    private final RaftServer.Division division;
    private final DivisionInfo info;
    private final RaftClientAsynchronousProtocol log;
    private final RaftGroupId group;
    private final ClientId client = ClientId.randomId();
    private final Entries entries;

    /** Starts the member with that number, with its log in {@code dir}, and a machine that has not been started. */
    RaftShare(FleetMembers members, int own, Path dir, FleetMachine machine) throws IOException {
        this.members = members;
        this.own = own;
        overdueNanos = OVERDUE * members.silence().toNanos();
        this.machine = machine;
        List<RaftPeer> peers = IntStream.range(0, members.dataMembers().size())
                .mapToObj(number -> RaftPeer.newBuilder()
                        .setId(id(number))
                        .setAddress(members.dataMembers().get(number).toString())
                        .build())
                .toList();
        group = RaftGroupId.valueOf(UUID.nameUUIDFromBytes(members.name().getBytes(StandardCharsets.UTF_8)));
        entries = new Entries(this::append);
        try {
            server = RaftServer.newBuilder()
                    .setServerId(id(own))
                    .setGroup(RaftGroup.valueOf(group, peers))
                    .setStateMachine(machine)
                    .setProperties(properties(dir))
                    .setParameters(parameters(members.tls()))
                    .setOption(RaftStorage.StartupOption.RECOVER)
                    .build();
        } catch (Throwable e) { // threads may have ended
            entries.close();
            throw e;
        }
        try {
            server.start();
            division = server.getDivision(group);
            TermIndex last = division.getRaftLog().getLastEntryTermIndex(); // one that has just come counts as old
            machine.startsAfter(last == null ? TermIndex.valueOf(0, RaftLog.INVALID_LOG_INDEX) : last);
        } catch (ExitUtils.ExitException e) {
            closeAfter(e);
            throw new IOException(
                    "own: cannot listen at " + members.dataMembers().get(own), e.getCause());
        } catch (Throwable e) {
            closeAfter(e);
            throw e;
        }
        info = division.getInfo();
        // The server hands a request to a thread of the division, and waits for it; without that, there is one less.
        log = division instanceof RaftClientAsynchronousProtocol direct ? direct : server;
    }

    /** Ratis ends the JVM if it cannot listen, and if another thread of the JVM throws what nobody catches. */
    private static void keepJvm() {
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        ExitUtils.disableSystemExit(); // which sets a handler of its own
        Thread.setDefaultUncaughtExceptionHandler(handler);
    }

    /** It has locked its directory. */
    private void closeAfter(Throwable failure) {
        try {
            close();
        } catch (Throwable e) {
            failure.addSuppressed(e);
        }
    }

    private RaftPeerId id(int number) {
        return RaftPeerId.valueOf(members.dataMembers().get(number).toString().replace(':', '_'));
    }

    private RaftProperties properties(Path dir) {
        RaftProperties properties = new RaftProperties();
        HostAndPort address = members.dataMembers().get(own);
        GrpcConfigKeys.Server.setHost(properties, address.host());
        GrpcConfigKeys.Server.setPort(properties, address.port());
        RaftServerConfigKeys.setStorageDir(properties, List.of(dir.toFile()));

        Duration silence = members.silence();
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(silence));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(silence.multipliedBy(2)));
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, time(silence.multipliedBy(2)));
        RaftServerConfigKeys.Log.Appender.setBufferElementLimit(properties, MOST_ENTRIES_AT_ONCE);
        RaftServerConfigKeys.Log.Appender.setWaitTimeMin(properties, TimeDuration.ZERO); // it delays each entry
        RaftServerConfigKeys.setCloseThreshold(properties, time(Duration.ofDays(365))); // it ends after a long pause
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false); // it is another entry after each one
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, ENTRIES_BETWEEN_SNAPSHOTS);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, 2);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, Math.min(1_024, ENTRIES_BETWEEN_SNAPSHOTS));
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(SEGMENT_KILOBYTES + "KB"));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(SEGMENT_KILOBYTES / 8 + "KB"));
        return properties;
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Parameters parameters(@Nullable Tls tls) {
        Parameters parameters = new Parameters();
        if (tls != null) {
            GrpcConfigKeys.TLS.setConf(parameters, new GrpcTlsConfig(tls.keys(), tls.trust(), true));
        }
        return parameters;
    }

    /** Returns whether it runs, and a leader is known. */
    boolean takesPart() {
        return isOpen() && leader() != NO_LEADER;
    }

    /** Returns whether it has applied all that it has heard a majority to have, of the leader. */
    boolean isUpToDate() {
        int leader = leader();
        return isOpen()
                && leader != NO_LEADER
                && machine.getLifeCycleState() == LifeCycle.State.RUNNING // not while the leader sends a snapshot
                && hasHeardOf(leader)
                && applied() >= committed();
    }

    /** One that was just started may know the leader before it knows how far that is. */
    private boolean hasHeardOf(int leader) {
        String id = id(leader).toString();
        return division.getCommitInfos().stream()
                .anyMatch(info -> info.getServer().getId().toStringUtf8().equals(id));
    }

    /** Returns whether it runs, and no entry has been on its way for long. */
    boolean isOpen() {
        return !info.getLifeCycleState().isClosingOrClosed() && !entries.isOverdue(overdueNanos);
    }

    /** Returns the number of the last entry of the log that this member has applied. */
    long applied() {
        return info.getLastAppliedIndex();
    }

    /** Returns the number of the last entry of which this member knows that a majority has it. */
    long committed() {
        return division.getCommitInfos().stream()
                .mapToLong(CommitInfoProto::getCommitIndex)
                .max()
                .orElse(-1);
    }

    /** Returns the number of the leader, as far as this member knows, or {@link #NO_LEADER}. */
    int leader() {
        if (info.isLeader()) {
            return info.isLeaderReady() ? own : NO_LEADER;
        }
        RaftPeerId leader = info.getLeaderId();
        return leader == null
                ? NO_LEADER
                : IntStream.range(0, members.dataMembers().size())
                        .filter(number -> id(number).equals(leader))
                        .findFirst()
                        .orElse(NO_LEADER);
    }

    FleetMachine machine() {
        return machine;
    }

    /**
     * Makes attempts, at the leader. The outcome comes after a majority has them in its log. If it fails, they may have
     * been made nevertheless.
     */
    CompletableFuture<byte[]> make(byte[] attempts) {
        try {
            if (attempts.length > LONGEST_BATCH) {
                throw new StreamCorruptedException(
                        "batch: of " + attempts.length + " bytes (expected: at most " + LONGEST_BATCH + ")");
            }
            Attempts.of(attempts); // what comes into the log can be read
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return entries.add(attempts);
    }

    private CompletableFuture<byte[]> append(List<byte[]> batches) {
        byte[] entry = FleetMachine.entry(machine.clock().stamp(), batches);
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(id(own))
                .setGroupId(group)
                .setCallId(CallId.getAndIncrement())
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            return log.submitClientRequestAsync(request).thenCompose(RaftShare::content);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<byte[]> content(RaftClientReply reply) {
        return reply.isSuccess()
                ? CompletableFuture.completedFuture(
                        reply.getMessage().getContent().toByteArray())
                : CompletableFuture.failedFuture(reply.getException());
    }

    @Override
    public void close() throws IOException {
        try {
            entries.close();
        } finally {
            server.close();
        }
    }
}
