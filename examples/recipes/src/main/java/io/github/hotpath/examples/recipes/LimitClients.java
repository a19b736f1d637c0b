package io.github.hotpath.examples.recipes;

import com.google.common.base.Ticker;
import com.sun.net.httpserver.HttpExchange;
import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;

/**
 * Shows a limit for each client: a server that admits ten requests of each address in any ten seconds.
 *
 * <pre>LimitClients [PORT]</pre>
 *
 * <p>With a port, 0 for any free one, it serves there, by the real clock, until it is stopped. Without one it sends
 * itself the requests of half a minute, by a simulated clock, from many addresses, some of them greedy, and prints how
 * many requests of each kind were served and refused.
 *
 * <p>The exit status is 0, 1 if something failed, or 2 if the argument was wrong.
 */
public final class LimitClients {
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Limit EACH = Limit.of(10, INTERVAL);
    private static final Limit ALL = Limit.of(10_000, INTERVAL);

    private static final Duration STEP = Duration.ofMillis(100);
    private static final int STEPS = 300;

    private LimitClients() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Runs the program with {@code args}, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("LimitClients", "[PORT]", err).run(() -> run(Argument.of(args), out));
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
        KeyedLimiter<String> each = KeyedLimiter.of(EACH);
        try (LimitedServer server = new LimitedServer(
                port, SlidingWindowLimiter.of(ALL), each, Ticker.systemTicker(), LimitedServer::address)) {
            out.println("try: curl -i " + server.uri());
            new CountDownLatch(1).await(); // until the program is stopped
        }
    }

    private static void show(PrintStream out) throws IOException, InterruptedException {
        SimulatedClock clock = new SimulatedClock();
        KeyedLimiter<String> each = KeyedLimiter.of(EACH);
        try (LimitedServer server =
                new LimitedServer(0, SlidingWindowLimiter.of(ALL), each, clock, LimitClients::address)) {
            HttpClient http = HttpClient.newHttpClient();
            List<Callers> load = List.of(
                    new Callers("a request every two seconds", "192.0.2.", 100, 20, false),
                    new Callers("ten a second, but waits as told", "198.51.100.", 5, 1, true),
                    new Callers("ten a second, greedy", "203.0.113.", 5, 1, false),
                    new Callers("a single request", "2001:db8::", 3000, STEPS, false));
            for (int step = 0; step < STEPS; step++) {
                for (Callers callers : load) {
                    callers.call(step, clock.read(), http, server.uri());
                }
                clock.advance(STEP);
            }
            out.println(Callers.HEADING);
            load.forEach(callers -> out.println(callers.row()));
            out.println("addresses with an entry at the end: " + each.size() + " of 3110");
        }
    }

    /** The address that a caller declares, since all of this load has the same one. In production, do not trust it. */
    private static String address(HttpExchange exchange) {
        return exchange.getRequestHeaders().getFirst(Callers.ADDRESS);
    }
}
