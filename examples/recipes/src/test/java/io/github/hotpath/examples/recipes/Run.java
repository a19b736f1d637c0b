package io.github.hotpath.examples.recipes;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A run of a program inside the test's JVM, and its result. */
record Run(int status, List<String> out, List<String> err) {
    static Run of(Main main, String... args) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = main.run(stream(out), stream(err), args);
        return new Run(status, lines(out), lines(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static List<String> lines(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** What the programs' {@code run} is. */
    interface Main {
        int run(PrintStream out, PrintStream err, String... args) throws InterruptedException;
    }
}
