package io.github.hotpath.examples.replay;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A run of the program inside the test's JVM, and its result. */
record Run(int status, List<String> out, List<String> err) {
    /** Runs it with this on standard input. */
    static Run of(byte[] in, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = ReplayLog.run(new ByteArrayInputStream(in), stream(out), stream(err), args);
        return new Run(status, lines(out), lines(err));
    }

    static Run of(String in, String... args) {
        return of(in.getBytes(StandardCharsets.UTF_8), args);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static List<String> lines(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
