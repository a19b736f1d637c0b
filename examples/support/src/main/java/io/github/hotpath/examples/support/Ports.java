package io.github.hotpath.examples.support;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Free ports of the loopback address, for servers that do not choose one by themselves. */
public final class Ports {
    /** Below the ports that systems choose: one of those may become a client's before the server listens. */
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(15_000, 30_000));

    private Ports() {}

    /** Returns a port at which nobody listens, and each time another one. */
    public static int free() throws IOException {
        while (true) {
            int port = NEXT.getAndIncrement();
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // it is taken
            }
        }
    }
}
