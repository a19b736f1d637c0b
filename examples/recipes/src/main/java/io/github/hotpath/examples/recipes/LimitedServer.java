package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Ticker;
import com.google.common.net.HostAndPort;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * An HTTP server on the loopback interface that answers 200, or 429 with the time to wait.
 *
 * <p>A client that sends half a request, or does not read its answer, blocks only the thread of its own connection, for
 * some ten seconds: then the connection is closed. At most 1000 connections are open; further ones are closed. Where
 * clients could open as many, put a proxy in front that passes on whole requests only.
 */
final class LimitedServer implements AutoCloseable {
    static {
        // Read when the server's classes are initialized, so they are those of all servers of the JVM.
        setDefault("sun.net.httpserver.nodelay", "true"); // or each answer waits 40 ms for an acknowledgement
        setDefault("sun.net.httpserver.maxReqTime", "10"); // seconds until a request is whole, which have no limit else
        setDefault("sun.net.httpserver.maxRspTime", "10");
        setDefault("jdk.httpserver.maxConnections", "1000");
    }

    private static final int NO_BODY = -1;

    private final SlidingWindowLimiter all;
    private final KeyedLimiter<String> each;
    private final Ticker ticker;
    private final Function<HttpExchange, String> clientOf;

    /** As many as connections have a request: with a fixed number, so many slow clients would block all others. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final HttpServer server;

    private static void setDefault(String property, String value) {
        System.getProperties().putIfAbsent(property, value);
    }

    /**
     * Starts to serve.
     *
     * @param port 0 for any that is free
     * @param all the limit of all requests that are served, which bounds how many clients {@code each} can have
     * @param each the limit of each client
     * @param clientOf returns the client of a request, and must not trust what a client declares: see {@link #address}
     */
    LimitedServer(
            int port,
            SlidingWindowLimiter all,
            KeyedLimiter<String> each,
            Ticker ticker,
            Function<HttpExchange, String> clientOf)
            throws IOException {
        this.all = all;
        this.each = each;
        this.ticker = ticker;
        this.clientOf = clientOf;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Identifies a client by the address of its connection. Where clients log in, their account or key is better;
     * behind a proxy, where every connection has the proxy's address, use the address that the proxy itself adds, not
     * one that it passes on.
     */
    static String address(HttpExchange exchange) {
        return exchange.getRemoteAddress().getAddress().getHostAddress();
    }

    private void answer(HttpExchange exchange) throws IOException {
        long wait = admit(clientOf.apply(exchange));
        if (wait == 0) {
            send(exchange, 200, "welcome\n");
        } else {
            exchange.getResponseHeaders().set("Retry-After", Long.toString(wholeSeconds(wait)));
            send(exchange, 429, wait + " ns\n");
        }
    }

    /** Admits a request of {@code client} and returns 0, or returns the nanoseconds that it has to wait. */
    private long admit(String client) {
        return Limiter.allOf(each.forKey(client), all).tryAcquireOrDelay(ticker.read(), 1); // of both, or of neither
    }

    /**
     * Returns {@code nanos}, which are one or more, in seconds rounded up: a client that returns then is not too early.
     */
    static long wholeSeconds(long nanos) {
        return (nanos - 1) / TimeUnit.SECONDS.toNanos(1) + 1;
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        if (exchange.getRequestMethod().equals("HEAD")) {
            // Not as an argument, for which the server would log a warning each time.
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
            exchange.sendResponseHeaders(status, NO_BODY);
            return;
        }
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) { // to close the exchange would close the connection
            out.write(body);
        }
    }

    URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + HostAndPort.fromParts(address.getHostString(), address.getPort()) + "/");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
