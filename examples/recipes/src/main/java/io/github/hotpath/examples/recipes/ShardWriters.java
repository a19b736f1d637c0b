package io.github.hotpath.examples.recipes;

import com.google.common.util.concurrent.MoreExecutors;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that write the same files into one tree after the other, and a thread that deletes empty shards at the same
 * time.
 */
final class ShardWriters implements AutoCloseable {
    private static final int WRITERS = 4;

    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
    private final List<byte[]> contents;
    private final PrintStream out;

    /** The lines of progress: at most one a second. */
    private final SlidingWindowLimiter lines = SlidingWindowLimiter.of(Limit.of(1, Duration.ofSeconds(1)));

    private long deleted;
    private volatile boolean writing;

    ShardWriters(List<byte[]> contents, PrintStream out) {
        this.contents = contents;
        this.out = out;
    }

    /**
     * Writes every file, and returns how many nanoseconds that took.
     *
     * @param title of the lines of progress
     * @throws IOException if a file cannot be written, or was reported written and is not there when all are
     */
    long write(ShardedTree tree, String title) throws IOException, InterruptedException {
        writing = true;
        Future<Long> cleaner = threads.submit(() -> clean(tree));
        long start = System.nanoTime();
        List<String> names = new ArrayList<>();
        long spent;
        try {
            AtomicInteger next = new AtomicInteger();
            Callable<List<String>> writer = () -> write(tree, next, title);
            for (Future<List<String>> written : threads.invokeAll(Collections.nCopies(WRITERS, writer))) {
                names.addAll(Tasks.result(written));
            }
            spent = System.nanoTime() - start;
        } finally {
            writing = false;
        }
        deleted += Tasks.result(cleaner);
        for (String name : names) {
            Files.size(tree.file(name)); // throws if it does not exist
        }
        return spent;
    }

    /** Writes files, each the next that no thread has taken, and returns the names of those reported written. */
    private List<String> write(ShardedTree tree, AtomicInteger next, String title) throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = next.getAndIncrement(); i < contents.size(); i = next.getAndIncrement()) {
            names.add(tree.put(contents.get(i)));
            if (lines.tryAcquire(System.nanoTime(), 1)) {
                out.println(title + ": " + (i + 1) + " of " + contents.size());
            }
        }
        return names;
    }

    private long clean(ShardedTree tree) throws IOException {
        long sum = 0;
        while (writing) {
            sum += tree.deleteEmptyShards();
        }
        return sum;
    }

    /** Returns how many empty directories were deleted in all. */
    long deleted() {
        return deleted;
    }

    @Override
    public void close() {
        MoreExecutors.shutdownAndAwaitTermination(threads, Duration.ofMinutes(1));
    }
}
