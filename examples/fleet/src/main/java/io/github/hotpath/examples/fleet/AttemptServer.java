package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where a member with data accepts attempts, of other members and of its own. If it is not the leader, it passes them
 * to the leader, once: so a member that cannot reach the leader is served as long as it reaches another one.
 * Thread-safe.
 */
final class AttemptServer implements Answer.From, AutoCloseable {
    private final DataMember member;
    private final Acceptor acceptor;
    private final List<@Nullable Connection> others;
    private final long longestNanos;
    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();

    AttemptServer(FleetMembers members, DataMember member, Sockets sockets) throws IOException {
        this.member = member;
        longestNanos = 2 * members.silence().toNanos();
        HostAndPort address = Answer.address(members.dataMembers().get(member.own()));
        others = Connection.toOthers(members, member.own(), sockets);
        try {
            acceptor = new Acceptor(sockets, new InetSocketAddress(address.host(), address.port()), this::accept);
            acceptor.start();
        } catch (Throwable e) { // the port is taken, or threads have ended
            Connection.closeAll(others);
            throw e;
        }
    }

    /** Returns where attempts of this member are sent, in the order of the members' numbers. */
    List<Answer.From> route() {
        return others.stream()
                .<Answer.From>map(other -> other == null ? this : other)
                .toList();
    }

    private void accept(Link accepted) throws IOException {
        Wire wire = new Wire(accepted, this::receive, wires::remove);
        wires.add(wire);
        try {
            wire.start();
        } catch (Throwable e) {
            wires.remove(wire); // threads have ended
            throw e;
        }
        if (acceptor.isClosed()) {
            wire.close();
        }
    }

    private void receive(Wire wire, Wire.Message message) {
        answer(message.content(), message.pass()).whenComplete((answer, failure) -> {
            Answer known = failure == null ? answer : new Answer(member.leader(), null);
            wire.send(new Wire.Message(message.number(), false, known.toBytes()));
        });
    }

    /** Of this member itself. Other members do not wait for long, either. */
    @Override
    public CompletableFuture<Answer> send(byte[] attempts, boolean pass) {
        return answer(attempts, pass)
                .orTimeout(longestNanos, TimeUnit.NANOSECONDS)
                .exceptionally(failure -> new Answer(member.leader(), null));
    }

    private CompletableFuture<Answer> answer(byte[] attempts, boolean pass) {
        int leader = member.leader();
        if (leader == member.own()) {
            return member.make(attempts).thenApply(outcome -> new Answer(leader, outcome));
        }
        Connection toLeader = leader == RaftShare.NO_LEADER ? null : others.get(leader);
        return toLeader == null || !pass
                ? CompletableFuture.completedFuture(new Answer(leader, null))
                : toLeader.send(attempts, false);
    }

    @Override
    public void close() {
        acceptor.close();
        wires.forEach(Wire::close);
        Connection.closeAll(others);
    }
}
