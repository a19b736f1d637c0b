package io.github.hotpath.examples.recipes;

import com.google.common.base.Ticker;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;

/**
 * Shows a limiter per client: a server that admits three requests of each client in any ten seconds.
 *
 * <pre>LimitClients [PORT]</pre>
 *
 * <p>With a port, 0 for any that is free, it serves there, by the real clock, until it is stopped. With none it is its
 * own two clients, by a simulated clock: one waits a nanosecond less than it was told, and then that nanosecond.
 *
 * <p>The exit status is 0, 1 if something failed, or 2 if the argument was wrong.
 */
public final class LimitClients {
    private static final int LIMIT = 3;
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    /**
     * The header by which the two clients, of one address, say who they are. In earnest, anybody could say anything.
     */
    private static final String CLIENT = "X-Client";

    private LimitClients() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Does what {@code args} say, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("LimitClients", "[PORT]", err).run(argument -> run(argument, out), args);
    }

    private static void run(Argument argument, PrintStream out) throws IOException, InterruptedException {
        OptionalInt port = argument.number(0, 65535);
        if (port.isPresent()) {
            serve(port.getAsInt(), out);
        } else {
            show(out);
        }
    }

    private static void serve(int port, PrintStream out) throws IOException, InterruptedException {
        ClientLimiter limiter = new ClientLimiter(LIMIT, INTERVAL, Ticker.systemTicker());
        try (LimitedServer server = new LimitedServer(port, limiter, LimitedServer::address)) {
            out.println("try: curl -i " + server.uri());
            new CountDownLatch(1).await(); // until the program is stopped
        }
    }

    private static void show(PrintStream out) throws IOException, InterruptedException {
        SimulatedClock clock = new SimulatedClock();
        ClientLimiter limiter = new ClientLimiter(LIMIT, INTERVAL, clock);
        try (LimitedServer server = new LimitedServer(0, limiter, LimitClients::nameOf)) {
            HttpClient http = HttpClient.newHttpClient();
            for (int i = 0; i < LIMIT; i++) {
                ask(http, server.uri(), "ann", out);
                ask(http, server.uri(), "bob", out);
                clock.advance(Duration.ofMillis(1500));
            }
            long waitNanos = ask(http, server.uri(), "ann", out);
            clock.advance(Duration.ofNanos(waitNanos - 1));
            ask(http, server.uri(), "ann", out);
            clock.advance(Duration.ofNanos(1));
            ask(http, server.uri(), "ann", out);
        }
    }

    private static String nameOf(HttpExchange exchange) {
        return exchange.getRequestHeaders().getFirst(CLIENT);
    }

    /** Sends a request, prints the answer, and returns how many nanoseconds it says to wait. */
    private static long ask(HttpClient http, URI server, String client, PrintStream out)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(server).header(CLIENT, client).build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() == 200) {
            out.println(client + ": 200");
            return 0;
        }
        String retryAfter = response.headers().firstValue("Retry-After").orElseThrow();
        out.print(client + ": " + response.statusCode() + ", Retry-After: " + retryAfter + ", " + response.body());
        return Long.parseLong(response.body().replace(" ns\n", ""));
    }
}
