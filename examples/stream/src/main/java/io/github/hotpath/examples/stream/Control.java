package io.github.hotpath.examples.stream;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * What a job and the program that started it share, in one JVM: where the source stops until it may go on, where a task
 * is killed, how far it is, and its results. Flink copies what belongs to a job, so its parts have a {@link Handle}.
 */
final class Control implements AutoCloseable {
    private static final Map<Integer, Control> ALL = new ConcurrentHashMap<>();
    private static final AtomicInteger LAST = new AtomicInteger();

    /**
     * A stop.
     *
     * @param number of the event before which the source stops until the gate is opened
     * @param reached is complete when it has stopped
     * @param opened is to be completed to open it
     */
    record Gate(long number, CompletableFuture<Void> reached, CompletableFuture<Void> opened) {
        private Gate(long number) {
            this(number, new CompletableFuture<>(), new CompletableFuture<>());
        }

        void open() {
            opened.complete(null);
        }
    }

    /** How the parts of a job refer to a control of the same JVM. */
    record Handle(int number) implements Serializable {
        Control get() {
            return ALL.get(number);
        }
    }

    /** Where the source stops, in the order of their numbers. */
    final List<Gate> gates;

    /** The number of the event at which a task is killed, once. */
    final long kill;

    /** When the source had come to the event {@link #kill} once more, or 0. */
    volatile long resumedNanos;

    private volatile boolean killed;

    /** The number of the last event that the source has emitted. */
    final AtomicLong position = new AtomicLong();

    /** Where the results go, from several threads; after a restart some come again. */
    final Consumer<? super Count<Long>> results;

    private final Handle handle = new Handle(LAST.incrementAndGet());

    /** Makes a control with gates before the events of the numbers {@code gates}. */
    Control(long kill, Consumer<? super Count<Long>> results, long... gates) {
        this.kill = kill;
        this.results = results;
        this.gates = LongStream.of(gates).mapToObj(Gate::new).toList();
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
