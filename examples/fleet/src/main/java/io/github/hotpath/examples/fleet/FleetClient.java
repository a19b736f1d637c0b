package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMachine.Answer;
import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.client.retry.RequestTypeDependentRetryPolicy;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto.TypeCase;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.exceptions.AlreadyExistsException;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.IOUtils;
import org.apache.ratis.util.TimeDuration;
import org.apache.ratis.util.function.CheckedFunction;

/** What a member asks of those with data. The client of Ratis finds the leader. Thread-safe. */
final class FleetClient implements AutoCloseable {
    /** Between an attempt that failed and the next one. */
    static final Duration PAUSE = Duration.ofMillis(20);

    private final FleetMembers members;
    private final Duration patience;
    private final Duration timeout;

    // Guarded by this.
    private RaftClient client;
    private int first;
    private boolean closed;

    /** A request of attempts has {@code patience} with each client, and any other {@code timeout}. */
    FleetClient(FleetMembers members, Duration patience, Duration timeout) {
        this.members = members;
        this.patience = patience;
        this.timeout = timeout;
        first = ThreadLocalRandom.current().nextInt(members.dataMembers().size());
        client = newClient();
    }

    private RaftClient newClient() {
        RaftProperties properties = new RaftProperties();
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, FleetMembers.time(timeout));
        RequestTypeDependentRetryPolicy.Builder policy = RequestTypeDependentRetryPolicy.newBuilder();
        for (TypeCase type : List.of(TypeCase.READ, TypeCase.STALEREAD)) {
            TimeDuration pause = FleetMembers.time(PAUSE);
            policy.setRetryPolicy(type, RetryPolicies.retryForeverWithSleep(pause))
                    .setTimeout(type, FleetMembers.time(timeout));
        }
        return RaftClient.newBuilder()
                .setRaftGroup(members.raftGroup())
                .setLeaderId(members.peers().get(first).getId())
                .setProperties(properties)
                .setParameters(members.parameters())
                .setRetryPolicy(policy.build())
                .build();
    }

    private synchronized RaftClient client() {
        return client;
    }

    /**
     * The client of Ratis stays with a member that is none, or not yet, and with a connection that failed in a call to
     * one member; and it waits for seconds while it closes one that is cut. So another client begins with another member.
     */
    private <T> T call(CheckedFunction<RaftClient, T, IOException> call) throws IOException {
        RaftClient asked = client();
        try {
            return call.apply(asked);
        } catch (GroupMismatchException | TimeoutIOException e) {
            renew(asked);
            throw e;
        } catch (RuntimeException e) {
            renew(asked);
            throw new IOException(e.getMessage(), e);
        }
    }

    private synchronized void renew(RaftClient asked) {
        if (asked == client && !closed) {
            first = (first + 1) % members.dataMembers().size();
            client = newClient();
            Thread closer = new Thread(() -> IOUtils.cleanup(null, asked), "fleet-client-end");
            closer.setDaemon(true);
            closer.start();
        }
    }

    /** Makes a request of {@link FleetMachine}, which answers a question: so no member but the leader writes the log. */
    Outcome send(byte[] request) throws IOException {
        return call(asked -> {
            try {
                RaftClientReply reply = asked.async()
                        .sendReadOnlyUnordered(message(request))
                        .get(patience.toMillis(), TimeUnit.MILLISECONDS);
                return Outcome.readFrom(reply.getMessage().getContent().asReadOnlyByteBuffer());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("closed");
            } catch (TimeoutException e) {
                throw new TimeoutIOException("no answer in " + patience, e);
            } catch (ExecutionException e) {
                throw IOUtils.toIOException(e);
            }
        });
    }

    private static Message message(byte[] content) {
        return Message.valueOf(UnsafeByteOperations.unsafeWrap(content));
    }

    /** Sets the members with data. */
    void setConfiguration(List<RaftPeer> peers) throws IOException {
        call(asked -> asked.admin().setConfiguration(peers));
    }

    /** Asks a member how far it is. */
    Answer ask(RaftPeer peer) throws IOException {
        return call(asked -> Answer.of(asked.io()
                .sendStaleRead(message(new byte[0]), RaftLog.INVALID_LOG_INDEX, peer.getId())
                .getMessage()
                .getContent()));
    }

    /** Returns the groups of which a member is a part. */
    List<RaftGroupId> groups(RaftPeer peer) throws IOException {
        return call(asked -> asked.getGroupManagementApi(peer.getId()).list().getGroupIds());
    }

    /** Makes a member a part of the group, if it is none. */
    void add(RaftPeer peer, RaftGroup group) throws IOException {
        try {
            call(asked -> asked.getGroupManagementApi(peer.getId()).add(group));
        } catch (AlreadyExistsException e) {
            // It was told before.
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        client.close();
    }
}
