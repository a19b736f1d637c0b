package io.github.hotpath.testing;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.Uninterruptibles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks that run on many threads at once. */
public final class AtOnce {
    /**
     * How often to watch at most. Where the shortest sleep is long, as on Windows with up to 16 ms, threads that sleep
     * until a lock is free might otherwise hardly ever find it free.
     */
    private static final int ENOUGH = 20_000;

    private final List<Runnable> tasks = new ArrayList<>();
    private final AtomicInteger unfinished = new AtomicInteger();

    /** Nothing to run yet. */
    public AtOnce() {}

    /** Adds {@code threads} threads, each of which runs {@code task} once. */
    public AtOnce on(int threads, Runnable task) {
        unfinished.addAndGet(threads);
        for (int i = 0; i < threads; i++) {
            tasks.add(() -> {
                try {
                    task.run();
                } finally {
                    unfinished.decrementAndGet();
                }
            });
        }
        return this;
    }

    /** Adds a thread that runs {@code watch} again and again until the others have finished, or enough. */
    public AtOnce watchedBy(Runnable watch) {
        tasks.add(() -> {
            int watched = 0;
            do {
                watch.run();
            } while (unfinished.get() > 0 && ++watched < ENOUGH);
        });
        return this;
    }

    /** Runs them all; none begins before all threads are there. Throws what one of them throws. */
    public void run() {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            CountDownLatch missing = new CountDownLatch(tasks.size());
            CompletableFuture<?>[] all = tasks.stream()
                    .map(task -> CompletableFuture.runAsync(
                            () -> {
                                missing.countDown();
                                Uninterruptibles.awaitUninterruptibly(missing);
                                task.run();
                            },
                            threads))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(all).get(); // unlike join(), ends at a time-out
        } catch (ExecutionException e) {
            Throwables.throwIfUnchecked(e.getCause()); // a failed assumption, too, as what it is
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            threads.shutdown();
        }
    }
}
