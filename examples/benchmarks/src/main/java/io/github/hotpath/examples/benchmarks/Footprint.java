package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.io.PrintStream;
import java.time.Duration;
import org.openjdk.jol.info.GraphLayout;

/** Prints the memory that windows retain, with all objects that they refer to, as JOL computes it. */
final class Footprint {
    private static final long STEP = 10;

    private Footprint() {}

    public static void main(String[] args) {
        print(System.out, 10_000_000);
    }

    /** Prints one line for each window; the largest is one of {@code many} events. */
    static void print(PrintStream out, int many) {
        out.printf("%-62s %12s%n", "window", "bytes");
        print(out, "new", window(3));
        print(out, "three events", fill(window(3), 3));
        print(out, "three events, 100,000 evicted one by one", fill(window(3), 100_003));
        EventWindow burst = fill(window(100_000), 100_000);
        burst.trim(STEP * (2 * 100_000L - 3));
        print(out, "three events, 100,000 evicted at once", burst);
        print(out, "100 events", fill(window(100), 100_000));
        print(out, "10,000 events", fill(window(10_000), 100_000));

        EventWindow large = fill(window(many), many);
        long bytes = print(out, String.format("%,d events", many), large);
        out.printf("%-62s %12.3f%n", "    per event", (double) bytes / many);
        large.record(STEP * (2L * many - 10));
        print(out, "the same after a record that evicted all but ten", large);
        EventWindow emptied = fill(window(many), many);
        emptied.record(STEP * 3 * many);
        print(out, "the same after a record that evicted all", emptied);
    }

    private static EventWindow window(long events) {
        return EventWindow.of(Duration.ofNanos(STEP * (events - 1)));
    }

    private static EventWindow fill(EventWindow window, int events) {
        for (int i = 0; i < events; i++) {
            window.record(STEP * i);
        }
        return window;
    }

    private static long print(PrintStream out, String name, EventWindow window) {
        long bytes = GraphLayout.parseInstance(window).totalSize();
        out.printf("%-62s %,12d%n", name, bytes);
        return bytes;
    }
}
