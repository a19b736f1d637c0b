package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Shows a window that survives a restart: it counts how often a program was run in the last hour.
 *
 * <pre>SurviveRestart [FILE]</pre>
 *
 * <p>With a file it counts its own runs there, so run it twice. Without one it shows five runs, 25 minutes apart by a
 * simulated clock, the last of which detects that a bit of its file has changed. Such a file is moved aside, to
 * {@code FILE.damaged}.
 *
 * <p>The exit status is 0, 1 if the file cannot be read or written, or 2 if the argument was wrong.
 */
public final class SurviveRestart {
    private static final Duration INTERVAL = Duration.ofHours(1);

    private SurviveRestart() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(Path.of(System.getProperty("java.io.tmpdir")), System.out, System.err, args));
    }

    /** Does what {@code args} say, in {@code base} if they name no file, and returns the exit status. */
    static int run(Path base, PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("SurviveRestart", "[FILE]", err).run(() -> run(Argument.of(args), base, out));
    }

    private static void run(Argument argument, Path base, PrintStream out) throws IOException {
        Optional<Path> file = argument.path();
        if (file.isPresent()) {
            countRun(file.get(), System::nanoTime, InstantSource.system(), out);
        } else {
            show(base, out);
        }
    }

    private static void show(Path base, PrintStream out) throws IOException {
        SimulatedClock clock = new SimulatedClock();
        InstantSource wallClock = () -> Instant.EPOCH.plusNanos(clock.read());
        Path dir = Files.createTempDirectory(base, "hotpath-");
        Path file = dir.resolve("runs");
        try {
            for (int run = 1; run <= 5; run++) {
                if (run == 5) {
                    alter(file);
                }
                long origin = run * 1_000_000_007L; // each JVM has its own
                countRun(file, () -> clock.read() - origin, wallClock, out);
                clock.advance(Duration.ofMinutes(25));
            }
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(damaged(file));
            Files.delete(dir);
        }
    }

    private static void alter(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
    }

    private static void countRun(Path path, LongSupplier nanoClock, InstantSource wallClock, PrintStream out)
            throws IOException {
        WindowFile file = new WindowFile(path, nanoClock, wallClock);
        EventWindow runs = EventWindow.of(INTERVAL);
        try {
            file.readInto(runs);
        } catch (NoSuchFileException e) {
            out.println("the first run");
        } catch (RestartFile.DamagedException e) { // any other failure ends the program: the file may be good
            Files.move(path, damaged(path), REPLACE_EXISTING); // not lost: it may be another file, named by mistake
            out.println("begun anew: " + e.getMessage());
        }
        out.println("runs in the last " + INTERVAL.toHours() + " h: " + runs.record(nanoClock.getAsLong()));
        file.write(runs);
    }

    /** Returns the path to which a damaged file is moved. */
    private static Path damaged(Path path) {
        return path.resolveSibling(path.getFileName() + ".damaged");
    }
}
