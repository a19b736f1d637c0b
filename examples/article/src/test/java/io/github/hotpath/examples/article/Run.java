package io.github.hotpath.examples.article;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A run of a program inside the test's JVM, and its result. */
record Run(int status, List<String> out, List<String> err) {
    /** Runs {@link CountEvents}. */
    static Run of(Path base, String... args) throws InterruptedException {
        return of(CountEvents::run, base, args);
    }

    static Run of(Main main, Path base, String... args) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = main.run(base, stream(out), stream(err), args);
        return new Run(status, lines(out), lines(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static List<String> lines(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** What {@link CountEvents#run} and {@link ListDirectory#run} are. */
    interface Main {
        int run(Path base, PrintStream out, PrintStream err, String... args) throws InterruptedException;
    }
}
