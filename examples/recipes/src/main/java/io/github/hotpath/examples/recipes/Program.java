package io.github.hotpath.examples.recipes;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Code shared by the programs of this package: an exit status, and one line with the reason of a failure. */
final class Program {
    private final String name;
    private final String usage;
    private final PrintStream err;

    /** Names the program and its argument, for the line that it prints to {@code err} if something is wrong. */
    Program(String name, String usage, PrintStream err) {
        this.name = name;
        this.usage = usage;
        this.err = err;
    }

    /** Ends the JVM if a program failed: Maven's exec:java runs it in Maven's own JVM, which continues after a success. */
    static void exit(int status) {
        if (status != 0) {
            System.exit(status);
        }
    }

    /**
     * Runs {@code body} with {@code args}, and returns 0, or 1 if it failed, or 2 if an argument was rejected.
     */
    int run(Body body, String... args) throws InterruptedException {
        try {
            body.run(Argument.of(args));
            return 0;
        } catch (Argument.WrongException e) {
            return failed(2, e.getMessage() + "; usage: " + name + " " + usage);
        } catch (IOException e) {
            return failed(1, e instanceof FileSystemException ? e.toString() : e.getMessage());
        }
    }

    /** Returns the result of a task, or rethrows what it failed with as an {@link IOException}. */
    static <T> T result(Future<T> task) throws IOException, InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().toString(), e);
        }
    }

    private int failed(int status, String reason) {
        err.println(name + ": " + reason);
        return status;
    }

    /** The body of a program. */
    interface Body {
        void run(Argument argument) throws IOException, InterruptedException;
    }
}
