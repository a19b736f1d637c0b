package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManager;

/** Members in this JVM, on its loopback address: they are closed together. */
final class LocalMembers implements AutoCloseable {
    static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(20);

    private final List<HostAndPort> dataMembers;
    private final List<DefaultCacheManager> started = new ArrayList<>();

    LocalMembers() {
        dataMembers = freePorts(FleetMembers.DATA_MEMBERS);
    }

    static List<HostAndPort> freePorts(int number) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < number; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            List<HostAndPort> free = sockets.stream()
                    .map(socket -> new HostAndPort("127.0.0.1", socket.getLocalPort()))
                    .toList();
            for (ServerSocket socket : sockets) {
                socket.close();
            }
            return free;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the members that have the data, all at once. */
    List<EmbeddedCacheManager> startAll() {
        List<CompletableFuture<DefaultCacheManager>> starting = dataMembers.stream()
                .map(own -> CompletableFuture.supplyAsync(() -> member(own), runnable -> new Thread(runnable).start()))
                .toList();
        starting.forEach(member -> started.add(member.join()));
        return List.copyOf(started);
    }

    /** Starts a member without data. */
    EmbeddedCacheManager startClient() {
        DefaultCacheManager client = member(freePorts(1).get(0));
        started.add(client);
        return client;
    }

    /** Starts a member with data anew, in the place of one that is stopped. */
    EmbeddedCacheManager restart(int number) {
        DefaultCacheManager member = member(dataMembers.get(number));
        started.add(member);
        return member;
    }

    private DefaultCacheManager member(HostAndPort own) {
        return new DefaultCacheManager(FleetMembers.member("test", own, dataMembers, SILENCE, START_TIMEOUT), true);
    }

    @Override
    public void close() {
        started.forEach(DefaultCacheManager::stop);
    }
}
