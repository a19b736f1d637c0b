package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import io.github.hotpath.examples.fleet.FleetMembers.Tls;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/** The share of a member in the consensus, by Apache Ratis, from its start to its end. Thread-safe. */
final class RaftShare implements AutoCloseable {
    /** No member is known to be the leader. */
    static final int NO_LEADER = -1;

    /** One entry is on its way at a time, and the attempts that come meanwhile are the next one. */
    private static final int ENTRIES_ON_THE_WAY = 1;

    /** An entry waits so long at most for those whom the last one has answered, since they often call again at once. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int MOST_IN_AN_ENTRY = 1_000;

    // Less in tests, in which members come back to a log that has been deleted meanwhile.
    private static final int ENTRIES_BETWEEN_SNAPSHOTS = Integer.getInteger("hotpath.fleet.snapshot", 20_000);
    private static final int SEGMENT_KILOBYTES = Integer.getInteger("hotpath.fleet.segment", 8 * 1024);

    private final FleetMembers members;
    private final int own;
    private final FleetMachine machine;
    private final RaftServer server;
    private final DivisionInfo info;
    private final RaftGroupId group;
    private final ClientId client = ClientId.randomId();
    private final BlockingQueue<Batch> waiting = new LinkedBlockingQueue<>();
    private final Semaphore onTheWay = new Semaphore(ENTRIES_ON_THE_WAY);
    private final Thread committer = new Thread(this::commit, "fleet-committer");

    // Written when an entry ceases to be on its way, and read after that: as long as it is one, the semaphore orders
    // it.
    private long waitUntilNanos;
    private int enoughBatches;

    private record Batch(byte[] attempts, CompletableFuture<byte[]> outcome) {}

    /** Starts the member with that number, with its log in {@code dir}. */
    RaftShare(FleetMembers members, int own, Path dir, FleetClock clock) throws IOException {
        this.members = members;
        this.own = own;
        machine = new FleetMachine(clock);
        List<RaftPeer> peers = IntStream.range(0, members.dataMembers().size())
                .mapToObj(number -> RaftPeer.newBuilder()
                        .setId(id(number))
                        .setAddress(members.dataMembers().get(number).toString())
                        .build())
                .toList();
        group = RaftGroupId.valueOf(UUID.nameUUIDFromBytes(members.name().getBytes(StandardCharsets.UTF_8)));
        server = RaftServer.newBuilder()
                .setServerId(id(own))
                .setGroup(RaftGroup.valueOf(group, peers))
                .setStateMachine(machine)
                .setProperties(properties(dir))
                .setParameters(parameters(members.tls()))
                .setOption(RaftStorage.StartupOption.RECOVER)
                .build();
        server.start();
        info = server.getDivision(group).getInfo();
        committer.setDaemon(true);
        committer.start();
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

    /** Returns whether a leader is known, and this takes its part. */
    boolean takesPart() {
        return !info.getLifeCycleState().isClosingOrClosed() && leader() != NO_LEADER;
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
        CompletableFuture<byte[]> outcome = new CompletableFuture<>();
        try {
            Attempts.of(attempts); // what comes into the log can be read
            waiting.add(new Batch(attempts, outcome));
        } catch (IOException e) {
            outcome.completeExceptionally(e);
        }
        return outcome;
    }

    /** Under load, all attempts that have come while others were on their way travel in one entry. */
    private void commit() {
        List<Batch> batches = new ArrayList<>();
        try {
            for (long call = 0; ; call++) {
                onTheWay.acquire();
                batches.add(waiting.take());
                waiting.drainTo(batches, MOST_IN_AN_ENTRY - 1);
                awaitAnswered(batches);
                commit(call, List.copyOf(batches));
                batches.clear();
            }
        } catch (InterruptedException e) {
            fail(batches, e);
            fail(List.copyOf(waiting), e); // this member is closed
        }
    }

    /** Takes what comes until there are as many as the last entry has answered and left, or their time is over. */
    private void awaitAnswered(List<Batch> batches) throws InterruptedException {
        while (batches.size() < enoughBatches) {
            Batch next = waiting.poll(waitUntilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                return;
            }
            batches.add(next);
        }
    }

    private void commit(long call, List<Batch> batches) {
        byte[] entry = FleetMachine.entry(
                machine.clock().stamp(), batches.stream().map(Batch::attempts).toList());
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(id(own))
                .setGroupId(group)
                .setCallId(call)
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        long start = System.nanoTime();
        CompletableFuture<RaftClientReply> reply;
        try {
            reply = server.submitClientRequestAsync(request);
        } catch (IOException | RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        reply.whenComplete((result, failure) -> {
            long now = System.nanoTime();
            waitUntilNanos = now + Math.min((now - start) / 2, LONGEST_WAIT_NANOS);
            enoughBatches = Math.min(batches.size() + waiting.size(), MOST_IN_AN_ENTRY);
            onTheWay.release();
            if (failure != null) {
                fail(batches, failure);
            } else if (!result.isSuccess()) {
                fail(batches, result.getException());
            } else {
                complete(batches, result.getMessage().getContent().toByteArray());
            }
        });
    }

    private static void fail(List<Batch> batches, Throwable cause) {
        batches.forEach(batch -> batch.outcome.completeExceptionally(cause));
    }

    private static void complete(List<Batch> batches, byte[] outcomes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(outcomes))) {
            for (Batch batch : batches) {
                in.mark(Integer.BYTES);
                int length = Integer.BYTES + Long.BYTES * Math.max(0, in.readInt());
                in.reset();
                batch.outcome.complete(in.readNBytes(length));
            }
        } catch (IOException e) {
            fail(batches, e);
        }
    }

    @Override
    public void close() throws IOException {
        committer.interrupt();
        server.close();
    }
}
