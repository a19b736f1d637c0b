package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The attempts of this member on their way. Thread-safe. */
final class Outbox implements AutoCloseable {
    private final FleetClient client;
    private final long timeoutNanos;
    private final Batches<Attempt> batches;

    /** The format in force, as far as this member knows. All members read the first one. Of the thread of the batches. */
    private int format = 1;

    /** An attempt, and its delay when it is known. */
    record Attempt(byte[] content, CompletableFuture<Long> delay) {}

    Outbox(FleetClient client, long timeoutNanos) {
        this.client = client;
        this.timeoutNanos = timeoutNanos;
        batches = new Batches<>("fleet-sender", attempt -> attempt.content.length, this::sendBatch);
    }

    /** Sends an attempt. */
    Attempt send(byte[] content) {
        Attempt attempt = new Attempt(content, new CompletableFuture<>());
        if (!batches.add(attempt)) {
            attempt.delay.completeExceptionally(new IOException("closed"));
        }
        return attempt;
    }

    /** Takes back an attempt, if it has not been sent. */
    void giveUp(Attempt attempt) {
        batches.remove(attempt);
    }

    private void sendBatch(List<Attempt> batch) {
        List<byte[]> attempts = batch.stream().map(Attempt::content).toList();
        try {
            Outcome outcome = client.send(FleetMachine.request(format, attempts), timeoutNanos);
            format = Math.min(outcome.format(), FleetMachine.NEWEST_FORMAT);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).delay.complete(outcome.delays()[i]);
            }
        } catch (IOException | RuntimeException e) {
            batch.forEach(attempt -> attempt.delay.completeExceptionally(e));
        }
    }

    @Override
    public void close() {
        batches.end().forEach(attempt -> attempt.delay.completeExceptionally(new IOException("closed")));
    }
}
