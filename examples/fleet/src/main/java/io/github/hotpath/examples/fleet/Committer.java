package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Brings the requests of all members into the log, at the leader: many in one entry. Thread-safe. */
final class Committer implements AutoCloseable {
    private final RaftServer server;
    private final RaftGroupId group;
    private final FleetLog log;
    private final ClientId id = ClientId.randomId();
    private final Batches<Waiting> batches;
    private long entries;

    private record Waiting(byte[] request, CompletableFuture<Outcome> outcome) {}

    Committer(RaftServer server, RaftGroupId group, FleetLog log) {
        this.server = server;
        this.group = group;
        this.log = log;
        batches = new Batches<>("fleet-committer", waiting -> waiting.request.length, this::commit);
    }

    /** Adds a request. Its outcome is none if its entry is lost, or not known to be there: its member repeats it. */
    CompletableFuture<Outcome> add(byte[] request) {
        Waiting waiting = new Waiting(request, new CompletableFuture<>());
        if (!batches.add(waiting)) {
            waiting.outcome.complete(Outcome.NONE);
        }
        return waiting.outcome;
    }

    /** Returns whether this committer makes an entry. */
    boolean isOwn(RaftClientRequest entry) {
        return entry.getClientId().equals(id);
    }

    private void commit(List<Waiting> requests) {
        ByteBuffer content = ByteBuffer.allocate(
                requests.stream().mapToInt(waiting -> waiting.request.length).sum());
        requests.forEach(waiting -> content.put(waiting.request));
        RaftClientRequest entry = RaftClientRequest.newBuilder()
                .setClientId(id)
                .setServerId(server.getId())
                .setGroupId(group)
                .setCallId(++entries)
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(content.array())))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        ByteBuffer outcomes = ByteBuffer.allocate(0);
        try {
            RaftClientReply reply = server.submitClientRequest(entry);
            if (reply.getException() != null) {
                throw reply.getException();
            }
            outcomes = reply.getMessage().getContent().asReadOnlyByteBuffer();
        } catch (IOException | RuntimeException e) {
            log.everyMinute(Level.INFO, "an entry is lost, or may be", e.getMessage());
        }
        for (Waiting waiting : requests) {
            waiting.outcome.complete(outcomes.hasRemaining() ? Outcome.readFrom(outcomes) : Outcome.NONE);
        }
    }

    @Override
    public void close() {
        batches.end().forEach(waiting -> waiting.outcome.complete(Outcome.NONE));
    }
}
