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

    /** Sends a batch, until it is answered or nobody waits for it. */
    private void sendBatch(List<Attempt> batch) throws InterruptedException {
        List<byte[]> attempts = batch.stream().map(Attempt::content).toList();
        long start = System.nanoTime();
        Exception failure = new IOException("no time is left");
        while (!batches.isClosed() && System.nanoTime() - start < timeoutNanos) {
            try {
                long left = timeoutNanos - (System.nanoTime() - start);
                Outcome outcome = client.send(FleetMachine.request(format, attempts), left);
                format = Math.max(1, Math.min(outcome.format(), FleetMachine.NEWEST_FORMAT));
                long[] delays = outcome.delays();
                if (delays.length == batch.size()) {
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

    @Override
    public void close() {
        batches.end().forEach(attempt -> attempt.delay.completeExceptionally(new IOException("closed")));
    }
}
