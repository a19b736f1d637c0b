package io.github.hotpath.examples;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;

/** Code shared by the programs of the examples: an exit status, and one line with the reason of a failure. */
public final class Program {
    private final String name;
    private final String usage;
    private final PrintStream err;

    /** Names the program and its arguments, for the line that it prints to {@code err} if something is wrong. */
    public Program(String name, String usage, PrintStream err) {
        this.name = name;
        this.usage = usage;
        this.err = err;
    }

    /**
     * Ends the JVM if a program failed: Maven's exec:java runs it in Maven's own JVM, which continues after a success.
     */
    public static void exit(int status) {
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Runs {@code body} and returns 0, or 1 if it failed, or 2 if an argument was wrong. */
    public int run(Body body) throws InterruptedException {
        try {
            body.run();
            return 0;
        } catch (WrongArgumentException e) {
            return failed(2, e.getMessage() + "; usage: " + name + " " + usage);
        } catch (UncheckedIOException e) {
            return failed(1, reason(e.getCause()));
        } catch (IOException e) {
            return failed(1, reason(e));
        }
    }

    private int failed(int status, String reason) {
        err.println(name + ": " + reason);
        return status;
    }

    /** Returns the message of {@code e}, with the type if the message may be the name of a file alone. */
    private static String reason(IOException e) {
        return e instanceof FileSystemException ? e.toString() : e.getMessage();
    }

    /** The body of a program. */
    public interface Body {
        /** Runs it; throws a {@link WrongArgumentException} if an argument is wrong. */
        void run() throws IOException, InterruptedException;
    }
}
