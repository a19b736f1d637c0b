package io.github.hotpath.examples.web;

import io.github.hotpath.limit.Decision;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The limits as meters of Micrometer. No meter has the client as a tag, of which there are as many as anybody likes:
 * there is one meter for each limit, and not one for each key.
 *
 * <table>
 * <caption>The meters</caption>
 * <tr><th>name</th><th>tag</th><th>what it shows</th></tr>
 * <tr><td>{@code limits.requests}</td><td>{@code outcome}</td><td>the requests that were granted and refused</td></tr>
 * <tr><td>{@code limits.refusals}</td><td>{@code policy}</td><td>how often each limit was exceeded: a request
 * may exceed several, and {@code failed-logins} refuses some that were granted</td></tr>
 * <tr><td>{@code limits.keys}</td><td>{@code policy}</td><td>the clients and tenants that have an entry</td></tr>
 * <tr><td>{@code limits.delay}</td><td></td><td>the delays that were told; its maximum is the longest of late</td></tr>
 * </table>
 */
final class LimiterMetrics {
    private final MeterRegistry registry;
    private final Counter granted;
    private final Counter refused;
    private final Timer delays;

    LimiterMetrics(MeterRegistry registry) {
        this.registry = registry;
        granted = requests("granted");
        refused = requests("refused");
        delays = Timer.builder("limits.delay").register(registry);
    }

    private Counter requests(String outcome) {
        return Counter.builder("limits.requests").tag("outcome", outcome).register(registry);
    }

    /** Registers a gauge of the keys under a limit. */
    void watchKeys(String policy, Supplier<Number> keys) {
        // A gauge references a supplier strongly, an object only weakly: with that it could become NaN.
        Gauge.builder("limits.keys", keys).tag("policy", policy).register(registry);
    }

    /** Counts a decision. */
    void count(Decision decision) {
        if (decision.isGranted()) {
            granted.increment();
        } else {
            refused.increment();
            countRefusal(decision.delayNanos(), ServiceLimits.violated(decision));
        }
    }

    /** Counts a refusal by each of {@code violated}. */
    void countRefusal(long delayNanos, List<String> violated) {
        for (String policy : violated) {
            registry.counter("limits.refusals", "policy", policy).increment();
        }
        if (delayNanos != Long.MAX_VALUE) {
            delays.record(delayNanos, TimeUnit.NANOSECONDS);
        }
    }
}
