package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMachine.Answer;
import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.AlreadyExistsException;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.function.CheckedFunction;
import org.jspecify.annotations.Nullable;

/** What a member asks of those with data. Thread-safe. */
final class FleetClient implements AutoCloseable {
    /** Between an attempt that failed and the next one. */
    static final Duration PAUSE = Duration.ofMillis(50);

    private final FleetMembers members;
    private final Duration timeout;
    private final RaftClient client;

    /** The number of the member that led last, as far as this client knows. */
    private volatile int leader;

    private volatile @Nullable Throwable failure;

    /** Any question has {@code timeout}, unless it is asked otherwise. */
    FleetClient(FleetMembers members, Duration timeout) {
        this.members = members;
        leader = ThreadLocalRandom.current().nextInt(members.dataMembers().size());
        this.timeout = timeout;
        client = newClient();
    }

    private RaftClient newClient() {
        RaftProperties properties = new RaftProperties();
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, FleetMembers.time(timeout));
        return RaftClient.newBuilder()
                .setRaftGroup(members.raftGroup())
                .setLeaderId(id(leader))
                .setProperties(properties)
                .setParameters(members.parameters())
                .setRetryPolicy(RetryPolicies.noRetry())
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
        CompletableFuture<Void> end = client.async()
                .sendReadOnlyUnordered(message(request), id(member))
                .thenAccept(reply -> {
                    leader = member;
                    outcome.complete(
                            Outcome.readFrom(reply.getMessage().getContent().asReadOnlyByteBuffer()));
                })
                .whenComplete((answered, e) -> {
                    if (e != null) {
                        failure = e;
                        reconnect(member); // the stream of a call that failed serves no other one
                    }
                });
        return new Question(end, System.nanoTime());
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

    private RaftPeerId id(int member) {
        return members.peers().get(member).getId();
    }

    private void reconnect(int member) {
        reconnect(() -> client.getClientRpc().handleException(id(member), new IOException("no answer"), true));
    }

    /**
     * Closes a connection so that the next call makes a new one. Ratis would wait for seconds until the calls on it end;
     * a thread that is interrupted does not wait.
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
    }

    private static Message message(byte[] content) {
        return Message.valueOf(UnsafeByteOperations.unsafeWrap(content));
    }

    /** Sets the members with data. If it fails, another member is asked the next time. */
    void setConfiguration(List<RaftPeer> peers) throws IOException {
        try (RaftClient asked = newClient()) {
            asked.admin().setConfiguration(peers);
        } catch (IOException | RuntimeException e) {
            leader = (leader + 1) % members.dataMembers().size();
            throw e instanceof IOException failed ? failed : new IOException(e.getMessage(), e);
        }
    }

    /** Asks a member how far it is. */
    Answer ask(RaftPeer peer) throws IOException {
        return call(
                peer,
                id -> Answer.of(client.io()
                        .sendStaleRead(message(new byte[0]), RaftLog.INVALID_LOG_INDEX, id)
                        .getMessage()
                        .getContent()));
    }

    /** Returns the groups of which a member is a part. */
    List<RaftGroupId> groups(RaftPeer peer) throws IOException {
        return call(peer, id -> client.getGroupManagementApi(id).list().getGroupIds());
    }

    /** Makes a member a part of the group, if it is none. */
    void add(RaftPeer peer, RaftGroup group) throws IOException {
        try {
            call(peer, id -> client.getGroupManagementApi(id).add(group));
        } catch (AlreadyExistsException e) {
            // It was told before.
        }
    }

    /** A connection on which a call failed may be silent for long: TCP waits ever longer before it sends once more. */
    private <T> T call(RaftPeer peer, CheckedFunction<RaftPeerId, T, IOException> call) throws IOException {
        try {
            return call.apply(peer.getId());
        } catch (IOException | RuntimeException e) {
            reconnect(members.peers().indexOf(peer));
            throw e instanceof IOException failed ? failed : new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
