package io.github.hotpath.examples.web.metrics;

import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Limits with meters of Micrometer: {@code limits.requests} by {@code outcome} (granted, refused), {@code
 * limits.refusals} by {@code policy}, of which a request may violate several, and {@code limits.delay}, the delays that
 * were told. A decision that fails with an exception is in none of them, but among the failed requests of the server.
 * No meter has the client as a tag: clients come and go by the million, and meters stay.
 */
public final class MeteredLimits implements RequestLimits {
    private final RequestLimits limits;
    private final MeterRegistry registry;
    private final Counter granted;
    private final Counter refused;
    private final Timer delays;

    public MeteredLimits(RequestLimits limits, MeterRegistry registry) {
        this.limits = limits;
        this.registry = registry;
        granted = registry.counter("limits.requests", "outcome", "granted");
        refused = registry.counter("limits.requests", "outcome", "refused");
        delays = registry.timer("limits.delay");
    }

    @Override
    public Verdict decide(Caller caller, int permits) {
        return counted(limits.decide(caller, permits));
    }

    @Override
    public CompletionStage<Verdict> decideAsync(Caller caller, int permits) {
        return limits.decideAsync(caller, permits).thenApply(this::counted);
    }

    private Verdict counted(Verdict verdict) {
        if (verdict.isGranted()) {
            granted.increment();
            return verdict;
        }
        refused.increment();
        verdict.violated()
                .forEach(policy ->
                        registry.counter("limits.refusals", "policy", policy).increment());
        if (verdict.delayNanos() != Long.MAX_VALUE) {
            delays.record(verdict.delayNanos(), TimeUnit.NANOSECONDS);
        }
        return verdict;
    }
}
