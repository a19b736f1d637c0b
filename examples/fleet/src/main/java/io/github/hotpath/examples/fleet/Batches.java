package io.github.hotpath.examples.fleet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * What travels together: one batch is on its way at a time, and what comes meanwhile is the next one. A batch costs much,
 * and each element of it little. Thread-safe.
 */
final class Batches<T> {
    private static final int MOST = 1_000;

    /** One element may take more. */
    private static final int MOST_BYTES = 1 << 18;

    /** For as many as were answered last: they often come back, and would wait for a whole batch if one left before. */
    private static final long PATIENCE_MILLIS = 1;

    private final ToIntFunction<T> bytes;
    private final Consumer<List<T>> sender;
    private final Thread thread;

    // Guarded by this.
    private final Deque<T> waiting = new ArrayDeque<>();
    private int wanted;
    private boolean closed;

    /** Batches of elements of so many {@code bytes}. The {@code sender} returns when one has been answered. */
    Batches(String name, ToIntFunction<T> bytes, Consumer<List<T>> sender) {
        this.bytes = bytes;
        this.sender = sender;
        thread = new Thread(this::sendAll, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Adds an element, and returns true, or false if nothing is sent any more. */
    synchronized boolean add(T element) {
        if (!closed) {
            waiting.add(element);
            if (waiting.size() >= wanted) {
                notifyAll();
            }
        }
        return !closed;
    }

    /** Takes back an element, if it has not been sent. */
    synchronized void remove(T element) {
        waiting.remove(element);
    }

    private void sendAll() {
        try {
            for (int answered = 0; ; ) {
                List<T> batch = next(answered);
                try {
                    sender.accept(batch);
                } catch (RuntimeException | Error e) { // as if no thread can be started; the next one may go
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
                answered = batch.size();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private synchronized List<T> next(int answered) throws InterruptedException {
        wanted = answered;
        if (waiting.size() < wanted) {
            wait(PATIENCE_MILLIS);
        }
        wanted = 1;
        while (waiting.isEmpty()) {
            if (closed) {
                throw new InterruptedException("closed");
            }
            wait();
        }
        List<T> batch = new ArrayList<>();
        int size = 0;
        do {
            size += bytes.applyAsInt(waiting.element());
            batch.add(waiting.remove());
        } while (batch.size() < MOST && !waiting.isEmpty() && size + bytes.applyAsInt(waiting.element()) <= MOST_BYTES);
        return batch;
    }

    /** Ends, and returns what has not been sent. */
    synchronized List<T> end() {
        closed = true;
        thread.interrupt();
        List<T> left = List.copyOf(waiting);
        waiting.clear();
        return left;
    }
}
