package io.github.hotpath.examples.recipes;

import com.sun.net.httpserver.HttpServer;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.DataInput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A server that admits ten requests of each address in an hour, and writes its limits each second to the file that is
 * its argument, by default {@code target/limits}. Kill it, start it again, and it refuses who was refused before.
 */
public final class KeepLimits {
    private static final List<Limit> EACH = List.of(Limit.of(10, Duration.ofHours(1)));
    private static final Limit ALL = Limit.of(100_000, Duration.ofHours(1));

    private KeepLimits() {}

    /** The limiter of all clients, and those of each. */
    record Limiters(SlidingWindowLimiter all, KeyedLimiter<String> each) {}

    /** Serves until the process is killed. A file that cannot be read ends the program, and stays as it is. */
    public static void main(String[] args) throws IOException {
        Path path = Path.of(args.length > 0 ? args[0] : "target/limits");
        RestartFile file = new RestartFile(path, System::nanoTime, InstantSource.system());
        Limiters limiters = read(file);
        Executors.newSingleThreadScheduledExecutor()
                .scheduleWithFixedDelay(() -> write(file, limiters), 0, 1, TimeUnit.SECONDS);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String client = exchange.getRemoteAddress().getAddress().getHostAddress();
            Limiter both = Limiter.allOf(limiters.each().forKey(client), limiters.all());
            exchange.sendResponseHeaders(both.tryAcquire(System.nanoTime(), 1) ? 204 : 429, -1);
            exchange.close();
        });
        server.start();
        System.out.println("curl -i http://localhost:" + server.getAddress().getPort() + "/");
    }

    /** Returns the limiters of the process before. Only if there is no file, there are no clients yet. */
    static Limiters read(RestartFile file) throws IOException {
        try {
            Limiters limiters = file.read((in, shiftNanos) -> new Limiters(
                    SlidingWindowLimiter.readFrom(in, shiftNanos),
                    KeyedLimiter.readFrom(in, DataInput::readUTF, shiftNanos, client -> EACH)));
            limiters.all().setLimits(ALL); // another release may have written others
            return limiters;
        } catch (NoSuchFileException e) { // any other failure ends the program: the file may be good
            return new Limiters(SlidingWindowLimiter.of(ALL), KeyedLimiter.of(EACH));
        }
    }

    /** Throws nothing, or it would never be called again. */
    static void write(RestartFile file, Limiters limiters) {
        try {
            file.write(file.snapshot(out -> {
                limiters.all().writeTo(out);
                limiters.each().writeTo(out, (client, keyOut) -> keyOut.writeUTF(client));
            }));
        } catch (IOException | RuntimeException e) {
            System.err.println("not written: " + e); // the next time the disk may have room again
        }
    }
}
