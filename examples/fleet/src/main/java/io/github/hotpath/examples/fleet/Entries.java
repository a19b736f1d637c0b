package io.github.hotpath.examples.fleet;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the log that a leader adds. One is on its way at a time, and the batches that come meanwhile are the
 * next one: under load, all of them travel together. Thread-safe.
 */
final class Entries implements AutoCloseable {
    /** An entry waits so long at most for those whom the last one has answered, since they often call again at once. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int MOST_IN_AN_ENTRY = 1_000;
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_WAITING_BYTES = 1 << 25;

    /** One batch may have more. */
    private static final int MOST_BYTES = 1 << 20;

    private final Function<List<byte[]>, CompletableFuture<byte[]>> log;
    private final LongSupplier nanoTime;
    private final long longestWaitNanos;
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "fleet-entries");
        thread.setDaemon(true);
        return thread;
    });

    // Guarded by this.
    private List<Batch> waiting = new ArrayList<>();
    private int waitingBytes;
    private boolean onTheWay;
    private long sentAt;
    private int enoughBatches;
    private long waitUntilNanos;
    private boolean timerSet;
    private boolean closed;

    private record Batch(byte[] attempts, CompletableFuture<byte[]> outcome) {}

    /** {@code log} adds batches as an entry, and completes with their outcomes, one after another. */
    Entries(Function<List<byte[]>, CompletableFuture<byte[]>> log) {
        this(log, System::nanoTime, LONGEST_WAIT_NANOS);
    }

    /** The same with another clock. */
    Entries(Function<List<byte[]>, CompletableFuture<byte[]>> log, LongSupplier nanoTime, long longestWaitNanos) {
        this.log = log;
        this.nanoTime = nanoTime;
        this.longestWaitNanos = longestWaitNanos;
        waitUntilNanos = nanoTime.getAsLong();
        timer.prestartCoreThread(); // there may be no thread any more when it is needed
    }

    /** Adds a batch to the next entry. If its outcome fails, it may be in the log nevertheless. */
    CompletableFuture<byte[]> add(byte[] attempts) {
        Batch batch = new Batch(attempts, new CompletableFuture<>());
        List<Batch> entry;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(new IOException("closed"));
            }
            if (waiting.size() >= MOST_WAITING || waitingBytes > MOST_WAITING_BYTES) {
                return CompletableFuture.failedFuture(new IOException("the log takes no more"));
            }
            waiting.add(batch);
            waitingBytes += attempts.length;
            entry = take();
        }
        send(entry);
        return batch.outcome;
    }

    /** Takes the next entry, or nothing if it has to wait: then the timer is set. Called with the lock. */
    private List<Batch> take() {
        if (onTheWay || waiting.isEmpty()) {
            return List.of();
        }
        int size = size();
        boolean isFull = size < waiting.size();
        long left = waitUntilNanos - nanoTime.getAsLong();
        if (!isFull && waiting.size() < enoughBatches && left > 0) {
            if (!timerSet) {
                timer.schedule(this::timeOver, left, TimeUnit.NANOSECONDS);
                timerSet = true;
            }
            return List.of();
        }
        List<Batch> entry = List.copyOf(waiting.subList(0, size));
        List<Batch> rest = new ArrayList<>(waiting.subList(size, waiting.size()));
        waiting = rest; // from here on, nothing needs memory
        waitingBytes = bytes(rest);
        sentAt = nanoTime.getAsLong();
        onTheWay = true;
        return entry;
    }

    private static int bytes(List<Batch> batches) {
        int bytes = 0;
        for (int i = 0; i < batches.size(); i++) {
            bytes += batches.get(i).attempts.length;
        }
        return bytes;
    }

    /** Returns how many of those that wait fit into an entry. */
    private int size() {
        int size = 0;
        int bytes = 0;
        while (size < Math.min(waiting.size(), MOST_IN_AN_ENTRY)) {
            bytes += waiting.get(size).attempts.length;
            if (bytes > MOST_BYTES && size > 0) {
                break;
            }
            size++;
        }
        return size;
    }

    private void timeOver() {
        List<Batch> entry;
        synchronized (this) {
            timerSet = false;
            entry = take();
        }
        send(entry);
    }

    private void send(List<Batch> entry) {
        if (entry.isEmpty()) {
            return;
        }
        long start = nanoTime.getAsLong();
        try {
            log.apply(entry.stream().map(Batch::attempts).toList())
                    .whenComplete((outcomes, failure) -> answered(entry, start, outcomes, failure));
        } catch (Throwable e) { // memory may end: the next entry is another one
            answered(entry, start, null, e);
        }
    }

    private void answered(List<Batch> entry, long start, byte @Nullable [] outcomes, @Nullable Throwable failure) {
        try {
            send(next(entry, start));
        } finally {
            if (outcomes != null) {
                complete(entry, outcomes);
            } else {
                fail(entry, failure == null ? new IOException("no outcomes") : failure);
            }
        }
    }

    private synchronized List<Batch> next(List<Batch> last, long start) {
        onTheWay = false;
        long now = nanoTime.getAsLong();
        waitUntilNanos = now + Math.min((now - start) / 2, longestWaitNanos);
        enoughBatches = Math.min(last.size() + waiting.size(), MOST_IN_AN_ENTRY);
        return take();
    }

    /** Returns whether an entry has been on its way for longer than that. */
    synchronized boolean isOverdue(long nanos) {
        return onTheWay && nanoTime.getAsLong() - sentAt > nanos;
    }

    private static void complete(List<Batch> batches, byte[] outcomes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(outcomes))) {
            for (Batch batch : batches) {
                in.mark(Integer.BYTES);
                int length = Integer.BYTES + Long.BYTES * Math.max(0, in.readInt());
                in.reset();
                batch.outcome.complete(in.readNBytes(length));
            }
        } catch (IOException e) {
            fail(batches, e);
        }
    }

    private static void fail(List<Batch> batches, Throwable cause) {
        batches.forEach(batch -> batch.outcome.completeExceptionally(cause));
    }

    @Override
    public void close() {
        List<Batch> left;
        synchronized (this) {
            closed = true;
            left = waiting;
            waiting = new ArrayList<>();
        }
        timer.shutdownNow();
        fail(left, new IOException("closed"));
    }
}
