package io.github.hotpath.examples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;

/**
 * A client that sends one request after another on one connection, and does as little as possible itself, so that the
 * server is what is measured.
 */
final class KeepAliveClient implements AutoCloseable {
    private static final String LENGTH = "\r\nContent-Length: ";
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final int STATUS = "HTTP/1.1 ".length();

    private final Socket socket;
    private final byte[] request;
    private final byte[] buffer = new byte[8192];

    KeepAliveClient(WebServer server, String user) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setTcpNoDelay(true);
        request = ("GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + Accounts.authorization(user) + END_OF_HEAD)
                .getBytes(US_ASCII);
    }

    /** Sends a request, reads the answer, which has a {@code Content-Length}, and returns its status. */
    int get() throws IOException {
        socket.getOutputStream().write(request);
        int length = 0;
        int end = Integer.MAX_VALUE;
        while (length < end) {
            length += read(length);
            String text = new String(buffer, 0, length, US_ASCII);
            int endOfHead = text.indexOf(END_OF_HEAD);
            if (endOfHead >= 0) {
                int from = text.indexOf(LENGTH) + LENGTH.length();
                int bodyLength = Integer.parseInt(text, from, text.indexOf('\r', from), 10);
                end = endOfHead + END_OF_HEAD.length() + bodyLength;
            }
        }
        return Integer.parseInt(new String(buffer, STATUS, 3, US_ASCII));
    }

    private int read(int from) throws IOException {
        InputStream in = socket.getInputStream();
        int length = in.read(buffer, from, buffer.length - from);
        if (length <= 0) {
            throw new EOFException("the connection was closed in the middle of an answer");
        }
        return length;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
