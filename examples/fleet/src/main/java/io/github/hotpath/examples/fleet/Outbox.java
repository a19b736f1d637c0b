package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of this member on their way. One batch is on its way at a time, and what comes meanwhile is the next one:
 * what an entry costs does not depend on how many attempts travel in it. Thread-safe.
 */
final class Outbox implements AutoCloseable {
    private static final int MOST_IN_A_BATCH = 1_000;

    /** One attempt may take more. */
    private static final int MOST_BYTES = 1 << 18;

    private final FleetClient client;
    private final long timeoutNanos;
    private final Thread sender = new Thread(this::sendAll, "fleet-sender");

    /** The format in force, as far as this member knows. All members read the first one. */
    private volatile int format = 1;

    // Guarded by this.
    private final Deque<Attempt> waiting = new ArrayDeque<>();
    private boolean closed;

    /** An attempt, all or nothing, and its delay when it is known. */
    record Attempt(List<Request> requests, CompletableFuture<Long> delay) {}

    Outbox(FleetClient client, long timeoutNanos) {
        this.client = client;
        this.timeoutNanos = timeoutNanos;
        sender.setDaemon(true);
        sender.start();
    }

    /** Sends an attempt. */
    synchronized Attempt send(List<Request> requests) {
        Attempt attempt = new Attempt(requests, new CompletableFuture<>());
        if (closed) {
            attempt.delay.completeExceptionally(new IOException("closed"));
        } else {
            waiting.add(attempt);
            notify();
        }
        return attempt;
    }

    /** Takes back an attempt, if it has not been sent. */
    synchronized void giveUp(Attempt attempt) {
        waiting.remove(attempt);
    }

    private void sendAll() {
        try {
            for (List<Attempt> batch = next(); batch != null; batch = next()) {
                sendBatch(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private synchronized @Nullable List<Attempt> next() throws InterruptedException {
        while (waiting.isEmpty()) {
            if (closed) {
                return null;
            }
            wait();
        }
        List<Attempt> batch = new ArrayList<>();
        int bytes = 0;
        while (!waiting.isEmpty() && batch.size() < MOST_IN_A_BATCH) {
            bytes += Attempts.mostBytes(waiting.element().requests);
            if (bytes > MOST_BYTES && !batch.isEmpty()) {
                break;
            }
            batch.add(waiting.remove());
        }
        return batch;
    }

    /** Sends a batch, until it is answered or nobody waits for it. */
    private void sendBatch(List<Attempt> batch) throws InterruptedException {
        long start = System.nanoTime();
        Exception failure = null;
        while (System.nanoTime() - start < timeoutNanos) {
            try {
                long[] delays = delays(batch);
                if (delays != null) {
                    for (int i = 0; i < delays.length; i++) {
                        batch.get(i).delay.complete(delays[i]);
                    }
                    return;
                }
                failure = new IOException("the leader has changed, or the fleet is not complete yet");
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
            if (isClosed()) {
                break;
            }
            Thread.sleep(FleetClient.PAUSE.toMillis());
        }
        Exception cause = failure == null ? new IOException("no time is left") : failure;
        batch.forEach(attempt -> attempt.delay.completeExceptionally(cause));
    }

    /** Returns null if no attempt was made. */
    private long @Nullable [] delays(List<Attempt> batch) throws IOException {
        List<List<Request>> attempts = batch.stream().map(Attempt::requests).toList();
        Outcome outcome = client.send(FleetMachine.request(format, attempts));
        format = Math.min(outcome.format() == 0 ? 1 : outcome.format(), FleetMachine.NEWEST_FORMAT);
        long[] delays = outcome.delays();
        if (delays != null && delays.length != batch.size()) {
            throw new IOException("outcomes: " + delays.length + " (expected: " + batch.size() + ")");
        }
        return delays;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            waiting.forEach(attempt -> attempt.delay.completeExceptionally(new IOException("closed")));
            waiting.clear();
            notifyAll();
        }
        sender.interrupt();
    }
}
