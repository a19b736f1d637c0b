package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Throwables;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
     * Assigns each thread a stripe of its own, as if they had contended, and returns these stripes. The window has one
     * stripe more, for calls other than record. On a machine of one processor there may be only two for four threads.
     */
    Set<Stripe> spread(ConcurrentEventWindow window) {
        Set<Stripe> stripes = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int thread = 1; thread < THREADS; thread++) { // the first keeps the stripe that the others have left
            run(thread, () -> window.separate(window.stripe()));
        }
        for (int thread = 0; thread < THREADS; thread++) {
            stripes.add(on(thread, window::stripe));
        }
        assertThat(stripes).hasSize(Math.min(THREADS, 2 * Runtime.getRuntime().availableProcessors()));
        return stripes;
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
