package io.github.hotpath.examples.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {
    @Test
    void free_nextIsTaken_isAnotherThatNoClientGets() throws IOException {
        int port = Ports.free();

        try (ServerSocket taken = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Ports.free()).isBetween(taken.getLocalPort() + 1, 32_767);
        }
    }
}
