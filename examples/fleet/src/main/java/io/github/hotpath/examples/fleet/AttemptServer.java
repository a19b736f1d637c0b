package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where a member with data accepts attempts, of other members and of its own. If it is not the leader, it passes them
 * to the leader, once: so a member that cannot reach the leader is served as long as it reaches another one.
 * Thread-safe.
 */
final class AttemptServer implements Answer.From, AutoCloseable {
    private final DataMember member;
    private final ServerSocket socket;
    private final List<@Nullable Connection> others;
    private final long longestNanos;
    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();

    AttemptServer(FleetMembers members, DataMember member, Sockets sockets) throws IOException {
        this.member = member;
        longestNanos = 2 * members.silence().toNanos();
        HostAndPort address = Answer.address(members.dataMembers().get(member.own()));
        socket = sockets.listen(new InetSocketAddress(address.host(), address.port()));
        others = IntStream.range(0, members.dataMembers().size())
                .mapToObj(number -> number == member.own()
                        ? null
                        : new Connection(members.dataMembers().get(number), sockets, members.silence()))
                .toList();
        Thread acceptor = new Thread(this::accept, "fleet-acceptor");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                Wire[] wire = new Wire[1];
                wire[0] = new Wire(accepted, this::receive, () -> wires.remove(wire[0]));
                wires.add(wire[0]);
                wire[0].start();
            } catch (IOException e) {
                // It is closed, or one that wanted to connect has gone.
            }
        }
    }

    private void receive(Wire wire, Wire.Message message) {
        send(message.content(), message.pass()).whenComplete((answer, failure) -> {
            Answer known = failure == null ? answer : new Answer(member.leader(), null);
            wire.send(new Wire.Message(message.number(), false, known.toBytes()));
        });
    }

    @Override
    public CompletableFuture<Answer> send(byte[] attempts, boolean pass) {
        int leader = member.leader();
        if (leader == member.own()) {
            return member.make(attempts)
                    .orTimeout(longestNanos, TimeUnit.NANOSECONDS)
                    .handle((outcome, failure) ->
                            failure == null ? new Answer(member.own(), outcome) : new Answer(member.leader(), null));
        }
        Connection toLeader = leader == RaftShare.NO_LEADER ? null : others.get(leader);
        return toLeader == null || !pass
                ? CompletableFuture.completedFuture(new Answer(leader, null))
                : toLeader.send(attempts, false);
    }

    @Override
    public void close() throws IOException {
        socket.close();
        wires.forEach(Wire::close);
        others.forEach(other -> {
            if (other != null) {
                other.close();
            }
        });
    }
}
