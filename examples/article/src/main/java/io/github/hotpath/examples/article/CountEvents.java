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
 * The article's program: each turn counts the turns of the last 100 ms and ensures that a directory exists. With the
 * arguments {@code STAGE DIR TURNS}, runs one stage; with none, {@link Comparison} runs each in a JVM of its own.
 */
public final class CountEvents {
    /** As many as in the article. */
    public static final int TURNS = 100_000;

    static final long INTERVAL_NANOS = 100_000_000;

    private CountEvents() {}

    /** The article's program as it was. */
    static Turn original(Path dir) {
        Deque<Long> events = new ArrayDeque<>();
        return nanos -> {
            events.addLast(nanos);
            events.removeIf(event -> event < nanos - INTERVAL_NANOS);
            Files.createDirectories(dir);
            return events.size();
        };
    }

    /** First change: removes expired events at the head of the deque, where they are. */
    static Turn trimmed(Path dir) {
        Deque<Long> events = new ArrayDeque<>();
        return nanos -> {
            events.addLast(nanos);
            while (events.peekFirst() < nanos - INTERVAL_NANOS) {
                events.removeFirst();
            }
            Files.createDirectories(dir);
            return events.size();
        };
    }

    /** Second change: creates nothing if something exists, even a regular file. */
    static Turn checked(Path dir) {
        Deque<Long> events = new ArrayDeque<>();
        return nanos -> {
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
    static Turn hotpath(Path dir) {
        EventWindow window = EventWindow.of(Duration.ofNanos(INTERVAL_NANOS));
        return nanos -> {
            long count = window.record(nanos);
            Dirs.ensure(dir);
            return count;
        };
    }

    /** Runs {@code turns} turns of {@code stage}, with the directory {@code a/b} in {@code dir}; returns two lines. */
    public static String run(Stage stage, Path dir, int turns, LongSupplier clock) throws IOException {
        Turn turn = stage.of(dir.resolve("a").resolve("b"));
        long[] counts = new long[turns];
        long start = clock.getAsLong();
        for (int i = 0; i < turns; i++) {
            counts[i] = turn.take(clock.getAsLong());
        }
        long millis = (clock.getAsLong() - start) / 1_000_000;
        long average = (long) Arrays.stream(counts).average().orElse(0);
        return "Average count: " + average + " op\nSpent time: " + millis + " ms";
    }

    public static void main(String... args) throws IOException, InterruptedException {
        switch (args.length) {
            case 0 -> Comparison.run(Path.of(System.getProperty("java.io.tmpdir")), TURNS, System.out);
            case 3 ->
                System.out.println(
                        run(Stage.named(args[0]), Path.of(args[1]), Integer.parseInt(args[2]), System::nanoTime));
            default ->
                throw new IllegalArgumentException(
                        "arguments: " + String.join(" ", args) + " (expected: STAGE DIR TURNS, or none)");
        }
    }
}
