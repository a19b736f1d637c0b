package io.github.hotpath.examples.web;

import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** A server of gRPC on a free port of the loopback interface, with gRPC's service of health. */
final class GrpcServer implements AutoCloseable {
    private final Server server;

    /** Starts to serve; a call passes through {@code interceptors} in their order. */
    GrpcServer(ServerInterceptor... interceptors) throws IOException {
        List<ServerInterceptor> inOrder = List.of(interceptors);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerInterceptors.interceptForward(new HealthStatusManager().getHealthService(), inOrder))
                .build()
                .start();
    }

    int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        try {
            server.shutdownNow().awaitTermination();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it ends without being waited for
        }
    }
}
