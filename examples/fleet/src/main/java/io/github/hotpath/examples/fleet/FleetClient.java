package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMachine.Answer;
import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.GroupInfoRequest;
import org.apache.ratis.protocol.GroupListReply;
import org.apache.ratis.protocol.GroupListRequest;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.AlreadyExistsException;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/** What a member asks of those with data. Thread-safe. */
final class FleetClient implements AutoCloseable {
    /** Before the next member is asked. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final FleetMembers members;
    private final RaftClient client;

    /** When a member gets a new connection. */
    private final KeyedLimiter<Integer> connections;

    /** The number of the member that led last, as far as this client knows. */
    private volatile int leader;

    private volatile @Nullable Throwable failure;

    /** Any question has {@code timeout}, unless it is asked otherwise. */
    FleetClient(FleetMembers members, Duration timeout) {
        this.members = members;
        leader = ThreadLocalRandom.current().nextInt(members.dataMembers().size());
        connections = KeyedLimiter.of(Limit.of(1, members.silence()));
        RaftProperties properties = new RaftProperties();
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, FleetMembers.time(timeout));
        client = RaftClient.newBuilder()
                .setRaftGroup(members.raftGroup())
                .setProperties(properties)
                .setParameters(members.parameters())
                .build();
    }

    /**
     * Makes a request of {@link FleetMachine} at the leader: as a question, so no member but the leader writes the log.
     * Who does not lead says so at once. Who says nothing for a silence may be the leader still, or be dead: the others
     * are asked in turn, while it can answer. So whoever leads next is found when it does, and a request may be made
     * several times.
     */
    Outcome send(byte[] request, long nanos) throws IOException {
        long start = System.nanoTime();
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        @Nullable
        Question[] questions = new @Nullable Question[members.dataMembers().size()];
        int turn = leader;
        Question first = ask(turn, request, outcome);
        questions[turn] = first;
        await(first.end, members.silence());
        while (!outcome.isDone()) {
            if (System.nanoTime() - start > nanos) {
                throw new TimeoutIOException("no leader has answered in time", failure);
            }
            turn = (turn + 1) % questions.length;
            Question question = questions[turn];
            if (question == null || question.end.isDone()) {
                questions[turn] = ask(turn, request, outcome);
            } else if (System.nanoTime() - question.since > members.silence().toNanos()) {
                reconnect(turn);
            }
            await(outcome, PAUSE);
        }
        return outcome.join();
    }

    private record Question(CompletableFuture<Void> end, long since) {}

    private Question ask(int member, byte[] request, CompletableFuture<Outcome> outcome) {
        CompletableFuture<Void> end = client.getClientRpc()
                .sendRequestAsyncUnordered(request(members.peers().get(member), question(request)))
                .thenAccept(reply -> {
                    if (reply.getException() != null) {
                        throw new CompletionException(reply.getException());
                    }
                    Outcome answer = Outcome.readFrom(content(reply).asReadOnlyByteBuffer());
                    if (answer.format() > 0) {
                        leader = member;
                        outcome.complete(answer);
                    }
                })
                .whenComplete((answered, e) -> {
                    if (e != null) {
                        failure = e;
                        reconnect(member); // the stream of a call that failed serves no other one
                    }
                });
        return new Question(end, System.nanoTime());
    }

    private interface Kind {
        RaftClientRequest request(ClientId client, RaftPeerId member, RaftGroupId group, long callId);
    }

    private RaftClientRequest request(RaftPeer peer, Kind kind) {
        return kind.request(client.getId(), peer.getId(), client.getGroupId(), CallId.getAndIncrement());
    }

    /** Of any member: one that Ratis answers for the leader alone would cost a connection at each other member. */
    private static Kind question(byte[] content) {
        return (client, member, group, callId) -> RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(member)
                .setGroupId(group)
                .setCallId(callId)
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(content)))
                .setType(RaftClientRequest.staleReadRequestType(RaftLog.INVALID_LOG_INDEX))
                .build();
    }

    private static ByteString content(RaftClientReply reply) {
        return reply.getMessage().getContent();
    }

    private static void await(CompletableFuture<?> future, Duration timeout) throws InterruptedIOException {
        try {
            future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("closed");
        } catch (TimeoutException | ExecutionException e) {
            // The next one is asked.
        }
    }

    /** Makes a new connection to a member at the next question: at once, and then once in a silence. */
    private void reconnect(int member) {
        if (connections.forKey(member).tryAcquire(System.nanoTime(), 1)) {
            RaftPeerId id = members.peers().get(member).getId();
            reconnect(() -> client.getClientRpc().handleException(id, new IOException("no answer"), true));
        }
    }

    /**
     * Closes a connection, and returns when the next call makes a new one. Ratis would wait for seconds until the calls on
     * it end; a thread that is interrupted does not wait.
     */
    static void reconnect(Runnable close) {
        Thread thread = new Thread(
                () -> {
                    Thread.currentThread().interrupt();
                    close.run();
                },
                "fleet-reconnect");
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks a member how far it is. */
    Answer ask(RaftPeer peer) throws IOException {
        return Answer.of(content(call(peer, question(new byte[0]))));
    }

    /** Returns the groups of which a member is a part. */
    List<RaftGroupId> groups(RaftPeer peer) throws IOException {
        return ((GroupListReply) call(peer, GroupListRequest::new)).getGroupIds();
    }

    /** Makes a member a part of the group, if it is none. */
    void add(RaftPeer peer, RaftGroup group) throws IOException {
        try {
            call(peer, (id, member, same, callId) -> GroupManagementRequest.newAdd(id, member, callId, group));
        } catch (AlreadyExistsException e) {
            // It was told before.
        }
    }

    /** Changes the members with data, as the leader knows them. If it fails, another member is asked the next time. */
    void change(UnaryOperator<List<RaftPeer>> change) throws IOException {
        try {
            List<RaftPeer> now = configuration();
            setConfiguration(now, change.apply(now));
        } catch (IOException e) {
            leader = (leader + 1) % members.dataMembers().size();
            throw e;
        }
    }

    List<RaftPeer> configuration() throws IOException {
        GroupInfoReply reply = (GroupInfoReply) call(members.peers().get(leader), GroupInfoRequest::new);
        return List.copyOf(reply.getGroup().getPeers());
    }

    /** Sets the members with data, if they are {@code now} those: a request that comes late would undo another one. */
    void setConfiguration(List<RaftPeer> now, List<RaftPeer> next) throws IOException {
        SetConfigurationRequest.Arguments arguments = SetConfigurationRequest.Arguments.newBuilder()
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .setServersInCurrentConf(now)
                .setServersInNewConf(next)
                .build();
        call(
                members.peers().get(leader),
                (id, member, group, callId) -> new SetConfigurationRequest(id, member, group, callId, arguments));
    }

    /** A connection on which a call failed may be silent for long: TCP waits ever longer before it sends once more. */
    private RaftClientReply call(RaftPeer peer, Kind kind) throws IOException {
        RaftClientReply reply;
        try {
            reply = client.getClientRpc().sendRequest(request(peer, kind));
        } catch (IOException | RuntimeException e) {
            reconnect(members.peers().indexOf(peer));
            throw e instanceof IOException failed ? failed : new IOException(e.getMessage(), e);
        }
        if (reply.getException() != null) {
            throw reply.getException();
        }
        return reply;
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
