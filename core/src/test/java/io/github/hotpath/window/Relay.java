package io.github.hotpath.window;

import com.google.common.base.Throwables;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** A handful of threads that use a window in turns: only one does anything at a time. */
final class Relay implements AutoCloseable {
    static final int THREADS = 4;

    private final List<ExecutorService> threads =
            Stream.generate(Executors::newSingleThreadExecutor).limit(THREADS).toList();

    /**
     * Assigns each thread a stripe of its own, as if they had contended. On a machine of one processor there may be
     * only two for four threads.
     */
    void spread(ConcurrentEventWindow window) {
        for (int thread = 0; thread < THREADS; thread++) {
            run(thread, () -> move(window));
        }
    }

    /** Lets the current thread record in another stripe from now on: a new one, as long as there may be more. */
    static void move(ConcurrentEventWindow window) {
        if (window.newest.index < ConcurrentEventWindow.MAX_STRIPES) {
            window.addStripe(window.newest);
        }
        Stripe another = window.lockAnother(window.stripe());
        if (another != null) {
            another.unlock();
        }
    }

    /** Runs {@code leg} on one of the threads, to its end. */
    void run(int thread, Runnable leg) {
        on(thread, Executors.callable(leg));
    }

    /** Returns what {@code leg} returns on one of the threads. */
    <T> T on(int thread, Callable<T> leg) {
        try {
            return threads.get(thread).submit(leg).get();
        } catch (ExecutionException e) {
            Throwables.throwIfUnchecked(e.getCause()); // a failed assumption, too, as what it is
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        threads.forEach(ExecutorService::shutdown);
    }
}
