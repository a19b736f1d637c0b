package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.Attempts.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An attempt of this member: all or nothing. */
final class Attempt {
    private final List<Request> requests;
    private final int mostBytes;
    private final CompletableFuture<Long> delay = new CompletableFuture<>();

    /** Whether it waits for a batch. Guarded by the outbox. */
    boolean waits;

    /** The batch in which it travels. Guarded by the outbox. */
    @Nullable
    Batch batch;

    Attempt(List<Request> requests) {
        this.requests = requests;
        mostBytes = Attempts.mostBytes(requests);
    }

    List<Request> requests() {
        return requests;
    }

    int mostBytes() {
        return mostBytes;
    }

    /** Its delay, when it is known. */
    CompletableFuture<Long> delay() {
        return delay;
    }
}
