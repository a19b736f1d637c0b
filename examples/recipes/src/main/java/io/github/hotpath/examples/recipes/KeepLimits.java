package io.github.hotpath.examples.recipes;

import com.google.common.base.Ticker;
import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Shows limits that survive the end of their process: a server that admits ten requests of each address in an hour.
 *
 * <pre>KeepLimits [FILE]</pre>
 *
 * <p>With a file it serves until its input ends, writes its limits to the file each second and at each line of its
 * input, and has them again when it is started again. Without one it starts such a server in a process of its own, uses
 * up a limit, kills the process, starts another one, and asks again.
 *
 * <p>The exit status is 0, 1 if the file cannot be read or written, or 2 if the argument was wrong.
 */
public final class KeepLimits {
    private static final Limit EACH = Limit.of(10, Duration.ofHours(1));
    private static final Limit ALL = Limit.of(100_000, Duration.ofHours(1));

    private KeepLimits() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(Path.of(System.getProperty("java.io.tmpdir")), System.out, System.err, args));
    }

    /** Does what {@code args} say, in {@code base} if they name no file, and returns the exit status. */
    static int run(Path base, PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("KeepLimits", "[FILE]", err).run(() -> {
            Optional<Path> file = Argument.of(args).path();
            if (file.isPresent()) {
                serve(file.get(), System.in, out, err);
            } else {
                show(base, out);
            }
        });
    }

    /** Serves until {@code in} ends. A file that cannot be read ends the program, and stays as it is. */
    static void serve(Path path, InputStream in, PrintStream out, PrintStream err) throws IOException {
        DurableFile durable = new DurableFile(path);
        durable.deleteLeftovers();
        LimiterFile file = new LimiterFile(durable, System::nanoTime, InstantSource.system());
        KeyedLimiter<String> each;
        SlidingWindowLimiter all;
        try {
            LimiterFile.Limiters read = file.read(EACH);
            each = read.each();
            all = read.all();
            all.setLimits(ALL); // the file has those of the process before, which another release may have changed
        } catch (NoSuchFileException e) { // any other failure ends the program: the file may be good
            each = KeyedLimiter.of(EACH);
            all = SlidingWindowLimiter.of(ALL);
        }
        Saving saving = new Saving(file, all, each);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (LimitedServer server = new LimitedServer(0, all, each, Ticker.systemTicker(), LimitedServer::address)) {
            timer.scheduleWithFixedDelay(() -> saving.saveOrReport(err), 1, 1, TimeUnit.SECONDS);
            out.println(server.uri());
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            while (lines.readLine() != null) {
                saving.save();
                out.println("saved");
            }
        } finally {
            timer.shutdown();
        }
        saving.save();
    }

    /** Writes the limiters. */
    private record Saving(LimiterFile file, SlidingWindowLimiter all, KeyedLimiter<String> each) {
        synchronized void save() throws IOException {
            file.write(all, each);
        }

        /** The same for a timer, which would stop after an exception; the next time the disk may have room again. */
        void saveOrReport(PrintStream err) {
            try {
                save();
            } catch (IOException e) {
                err.println("KeepLimits: not saved: " + e);
            }
        }
    }

    private static void show(Path base, PrintStream out) throws IOException, InterruptedException {
        Path dir = Files.createTempDirectory(base, "hotpath-");
        Path file = dir.resolve("limits");
        try {
            for (String which : new String[] {"first", "second"}) {
                try (ServerProcess server = new ServerProcess(file)) {
                    out.println("the " + which + " process: " + ask(server.uri(), 12));
                    server.save();
                } // killed
            }
        } finally {
            new DurableFile(file).deleteLeftovers();
            Files.deleteIfExists(file);
            Files.delete(dir);
        }
    }

    private static String ask(URI uri, int requests) throws IOException, InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        int served = 0;
        for (int i = 0; i < requests; i++) {
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            int status =
                    http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            served += status == 200 ? 1 : 0;
        }
        return served + " of " + requests + " requests were served";
    }
}
