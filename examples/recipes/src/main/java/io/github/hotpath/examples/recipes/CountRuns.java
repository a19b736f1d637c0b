package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Counts how often it was run in the last hour, in the file that is its argument, by default {@code target/runs}: run
 * it twice.
 */
public final class CountRuns {
    private CountRuns() {}

    /** Runs the program. */
    public static void main(String[] args) throws IOException {
        Path path = Path.of(args.length > 0 ? args[0] : "target/runs");
        System.out.println("runs in the last hour: " + countRun(path, System::nanoTime, InstantSource.system()));
    }

    /** Counts a run, and returns how many there were in the last hour. */
    static long countRun(Path path, LongSupplier nanoClock, InstantSource wallClock) throws IOException {
        WindowFile file = new WindowFile(path, nanoClock, wallClock);
        EventWindow runs = EventWindow.of(Duration.ofHours(1));
        try {
            file.readInto(runs);
        } catch (NoSuchFileException e) {
            System.out.println("the first run");
        } catch (RestartFile.DamagedException e) { // any other failure ends the program: the file may be good
            System.out.println("begun anew: " + e.getMessage());
            Files.move(path, path.resolveSibling(path.getFileName() + ".damaged"), REPLACE_EXISTING);
        }
        long count = runs.record(nanoClock.getAsLong());
        file.write(runs);
        return count;
    }
}
