package io.github.hotpath.examples.recipes;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Tasks that threads run for a program. */
final class Tasks {
    private Tasks() {}

    /** Returns the result of a task, or rethrows what it failed with as an {@link IOException}. */
    static <T> T result(Future<T> task) throws IOException, InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().toString(), e);
        }
    }
}
