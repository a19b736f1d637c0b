package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The attempts of this member on their way. Thread-safe. */
final class Outbox implements AutoCloseable {
    private final FleetClient client;
    private final long timeoutNanos;
    private final Batches<Attempt> batches;

    /** The format in force, as far as this member knows. All members read the first one. Of the thread of the batches. */
    private int format = 1;

    /** An attempt, all or nothing, and its delay when it is known. */
    record Attempt(List<Request> requests, CompletableFuture<Long> delay) {}

    Outbox(FleetClient client, long timeoutNanos) {
        this.client = client;
        this.timeoutNanos = timeoutNanos;
        batches = new Batches<>("fleet-sender", attempt -> Attempts.mostBytes(attempt.requests), this::sendBatch);
    }

    /** Sends an attempt. */
    Attempt send(List<Request> requests) {
        Attempt attempt = new Attempt(requests, new CompletableFuture<>());
        if (!batches.add(attempt)) {
            attempt.delay.completeExceptionally(new IOException("closed"));
        }
        return attempt;
    }

    /** Takes back an attempt, if it has not been sent. */
    void giveUp(Attempt attempt) {
        batches.remove(attempt);
    }

    /** Sends a batch, until it is answered or nobody waits for it. */
    private void sendBatch(List<Attempt> batch) throws InterruptedException {
        long start = System.nanoTime();
        Exception failure = new IOException("no time is left");
        while (!batches.isClosed() && System.nanoTime() - start < timeoutNanos) {
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
            Thread.sleep(FleetClient.PAUSE.toMillis());
        }
        Exception cause = failure;
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

    @Override
    public void close() {
        batches.end().forEach(attempt -> attempt.delay.completeExceptionally(new IOException("closed")));
    }
}
