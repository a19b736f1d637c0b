package io.github.hotpath.examples.web;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decides whether a request is served. {@link ServiceLimits} is the one of this process; others are on Redis or over a
 * fleet, or decorate one of these.
 */
@FunctionalInterface
public interface RequestLimits {
    /**
     * Acquires {@code permits} for the caller under all limits, or acquires nothing. May wait for a remote answer.
     *
     * @param caller who asks
     * @param permits at least 1
     */
    Verdict decide(Caller caller, int permits);

    /** Does the same without waiting. Limits whose {@link #decide} waits for a remote answer override it. */
    default CompletionStage<Verdict> decideAsync(Caller caller, int permits) {
        return CompletableFuture.completedFuture(decide(caller, permits));
    }
}
