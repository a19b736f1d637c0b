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
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Sockets, with TLS if that is wanted: then each side shows a certificate. A side that has gone without a word is found
 * out by the system. Immutable.
 */
final class Sockets {
    private static final int BACKLOG = 100;

    /** In so many silences, the first message has to come on a connection that was accepted. */
    private static final int FIRST_MESSAGE = 20;

    /** After so long without a message, the system asks whether the other side is there. */
    private static final int IDLE_SECONDS = 60;

    private static final int BETWEEN_PROBES_SECONDS = 10;
    private static final int PROBES = 6;

    private final @Nullable SSLContext context;
    private final int silenceMillis;

    Sockets(@Nullable Tls tls, Duration silence) {
        silenceMillis = Math.toIntExact(silence.toMillis());
        try {
            context = tls == null ? null : SSLContext.getInstance("TLS");
            if (context != null && tls != null) {
                context.init(new KeyManager[] {tls.keys()}, new TrustManager[] {tls.trust()}, null);
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("tls: " + tls + " (expected: usable keys)", e);
        }
    }

    /** Connects, within a silence. */
    Link connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, silenceMillis);
            keepAlive(socket);
            return new Link(context == null ? socket : encrypt(context, socket, address), socket);
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    private Socket encrypt(SSLContext context, Socket socket, InetSocketAddress address) throws IOException {
        SSLSocket encrypted = (SSLSocket)
                context.getSocketFactory().createSocket(socket, address.getHostString(), address.getPort(), true);
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate is of that host
        encrypted.setSSLParameters(parameters);
        encrypted.setSoTimeout(silenceMillis);
        encrypted.startHandshake();
        encrypted.setSoTimeout(0);
        return encrypted;
    }

    private static void keepAlive(Socket socket) throws IOException {
        socket.setKeepAlive(true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) { // otherwise after hours
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, BETWEEN_PROBES_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        }
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

    /** Takes a connection that was accepted. Does not wait for the other side, which has to send a message soon. */
    Link accepted(Socket socket) throws IOException {
        keepAlive(socket);
        socket.setSoTimeout(FIRST_MESSAGE * silenceMillis);
        if (context == null) {
            return new Link(socket, socket);
        }
        SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
        encrypted.setUseClientMode(false);
        encrypted.setNeedClientAuth(true);
        return new Link(encrypted, socket);
    }
}
