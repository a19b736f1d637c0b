package io.github.hotpath.examples.web;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The limits of one process: of each client, of each tenant, which its clients share, and of all together. A request
 * that one of them refuses counts under none. Thread-safe.
 *
 * @param clients the limit of each client, such as that of its plan: exactly one for each, or add to the names below
 * @param tenants the limit of each tenant: exactly one
 * @param service the limit of all requests, exactly one, which also bounds how many keys there are
 * @param nanoClock {@code System::nanoTime}
 */
public record ServiceLimits(
        KeyedLimiter<String> clients,
        KeyedLimiter<String> tenants,
        SlidingWindowLimiter service,
        LongSupplier nanoClock)
        implements RequestLimits {
    private static final List<String> WITH_TENANT = List.of("client", "tenant", "service");
    private static final List<String> WITHOUT_TENANT = List.of("client", "service");

    @Override
    public Verdict decide(Caller caller, int permits) {
        Limiter client = clients.forKey(caller.client());
        String tenant = caller.tenant();
        return tenant == null
                ? decide(Limiter.allOf(client, service), permits, WITHOUT_TENANT)
                : decide(Limiter.allOf(client, tenants.forKey(tenant), service), permits, WITH_TENANT);
    }

    private Verdict decide(Limiter all, int permits, List<String> names) {
        return Verdict.of(all.decide(nanoClock.getAsLong(), permits), names);
    }
}
