package io.github.hotpath.examples.article;

import io.github.hotpath.examples.article.Stage.Turn;
import io.github.hotpath.files.Dirs;
import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Written after the program of an article, whose code is not here. Each turn does what a turn of it does: it counts the
 * turns of the last 100 ms, keeps the count in an array, makes the path of a directory, and ensures that this exists.
 * With the arguments {@code STAGE DIR TURNS}, runs one stage; with none, {@link Comparison} runs each in a JVM of its
 * own.
 */
public final class CountEvents {
    /** As many as in the article. */
    public static final int TURNS = 100_000;

    static final long INTERVAL_NANOS = 100_000_000;

    private CountEvents() {}

    /** As in the article's first version. */
    static Turn original() {
        Deque<Long> events = new ArrayDeque<>();
        return (nanos, dir) -> {
            events.addLast(nanos);
            events.removeIf(event -> event < nanos - INTERVAL_NANOS);
            Files.createDirectories(dir);
            return events.size();
        };
    }

    /** First change: removes expired events at the head of the deque, where they are. */
    static Turn trimmed() {
        Deque<Long> events = new ArrayDeque<>();
        return (nanos, dir) -> {
            events.addLast(nanos);
            while (events.peekFirst() < nanos - INTERVAL_NANOS) {
                events.removeFirst();
            }
            Files.createDirectories(dir);
            return events.size();
        };
    }

    /** Second change: creates nothing if something exists, even a regular file. */
    static Turn checked() {
        Deque<Long> events = new ArrayDeque<>();
        return (nanos, dir) -> {
            events.addLast(nanos);
            while (events.peekFirst() < nanos - INTERVAL_NANOS) {
                events.removeFirst();
            }
            if (!Files.exists(dir)) {
                Files.createDirectories(dir);
            }
            return events.size();
        };
    }

    /** Third change: this library. */
    static Turn hotpath() {
        EventWindow window = EventWindow.of(Duration.ofNanos(INTERVAL_NANOS));
        return (nanos, dir) -> {
            long count = window.record(nanos);
            Dirs.ensure(dir);
            return count;
        };
    }

    /** Takes {@code turns} turns, with the directory {@code a/b} in {@code base}; returns the lines of the article. */
    public static String run(Turn turn, Path base, int turns, LongSupplier clock) throws IOException {
        String dir = base.resolve("a").resolve("b").toString();
        int[] counts = new int[turns];
        long start = clock.getAsLong();
        for (int i = 0; i < turns; i++) {
            counts[i] = (int) turn.take(clock.getAsLong(), base.getFileSystem().getPath(dir));
        }
        long millis = (clock.getAsLong() - start) / 1_000_000;
        int average = (int) Arrays.stream(counts).average().orElse(0);
        return "Average count: " + average + " op\nSpent time: " + millis + " ms";
    }

    public static void main(String... args) throws IOException, InterruptedException {
        switch (args.length) {
            case 0 -> Comparison.run(Path.of(System.getProperty("java.io.tmpdir")), TURNS, System.out);
            case 3 ->
                System.out.println(run(
                        Stage.named(args[0]).turn(), Path.of(args[1]), Integer.parseInt(args[2]), System::nanoTime));
            default ->
                throw new IllegalArgumentException(
                        "arguments: " + String.join(" ", args) + " (expected: STAGE DIR TURNS, or none)");
        }
    }
}
