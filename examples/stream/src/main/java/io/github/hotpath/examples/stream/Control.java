package io.github.hotpath.examples.stream;

import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What a job and the program that started it share, in one JVM: where the job stops until it may go on, where a task is
 * killed, how far it is, and its results. Flink copies what belongs to a job, so its parts have a {@link Handle}.
 */
final class Control implements AutoCloseable {
    private static final Map<Integer, Control> ALL = new ConcurrentHashMap<>();
    private static final AtomicInteger LAST = new AtomicInteger();

    /** How the parts of a job refer to a control of the same JVM. */
    record Handle(int number) implements Serializable {
        Control get() {
            return ALL.get(number);
        }
    }

    /** The number of the event before which the source stops until {@link #opened} is complete. */
    final long gate;

    /** The number of the event at which a task is killed, once. */
    final long kill;

    /** Complete when the source has stopped. */
    final CompletableFuture<Void> reached = new CompletableFuture<>();

    /** To be completed when the source may go on. */
    final CompletableFuture<Void> opened = new CompletableFuture<>();

    /** When the source had come to the event {@link #kill} once more, or 0. */
    volatile long resumedNanos;

    private volatile boolean killed;

    /** The number of the last event that the source has emitted. */
    final AtomicLong position = new AtomicLong();

    /** Where the results go, from several threads; after a restart some come again. */
    final Consumer<? super Count<Long>> results;

    private final Handle handle = new Handle(LAST.incrementAndGet());

    Control(long gate, long kill, Consumer<? super Count<Long>> results) {
        this.gate = gate;
        this.kill = kill;
        this.results = results;
        ALL.put(handle.number, this);
    }

    Handle handle() {
        return handle;
    }

    /** Throws, which kills the task that calls it; but not the next time. */
    void killOnce() {
        if (!killed) {
            killed = true;
            throw new IllegalStateException("killed at event " + kill);
        }
        resumedNanos = System.nanoTime();
    }

    @Override
    public void close() {
        ALL.remove(handle.number);
    }
}
