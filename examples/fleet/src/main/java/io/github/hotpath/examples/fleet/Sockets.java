package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** Sockets, with TLS if that is wanted: then each side shows a certificate. Immutable. */
final class Sockets {
    private static final int BACKLOG = 100;

    private final @Nullable SSLContext context;

    Sockets(@Nullable Tls tls) {
        try {
            context = tls == null ? null : SSLContext.getInstance("TLS");
            if (context != null && tls != null) {
                context.init(new KeyManager[] {tls.keys()}, new TrustManager[] {tls.trust()}, null);
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("tls: " + tls + " (expected: usable keys)", e);
        }
    }

    /** Connects, within that time. */
    Link connect(InetSocketAddress address, Duration timeout) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, Math.toIntExact(timeout.toMillis()));
            return new Link(context == null ? socket : encrypt(context, socket, address, timeout), socket);
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    private static Socket encrypt(SSLContext context, Socket socket, InetSocketAddress address, Duration timeout)
            throws IOException {
        SSLSocket encrypted = (SSLSocket)
                context.getSocketFactory().createSocket(socket, address.getHostString(), address.getPort(), true);
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate is of that host
        encrypted.setSSLParameters(parameters);
        encrypted.setSoTimeout(Math.toIntExact(timeout.toMillis()));
        encrypted.startHandshake();
        encrypted.setSoTimeout(0);
        return encrypted;
    }

    /** Listens at that address alone. */
    ServerSocket listen(InetSocketAddress address) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Takes a connection that was accepted. Does not wait for the other side. */
    Link accepted(Socket socket) throws IOException {
        if (context == null) {
            return new Link(socket, socket);
        }
        SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
        encrypted.setUseClientMode(false);
        encrypted.setNeedClientAuth(true);
        return new Link(encrypted, socket);
    }
}
