package io.github.hotpath.examples.adapters.fleet;

import io.github.hotpath.examples.fleet.FleetLimiter;
import io.github.hotpath.examples.fleet.FleetMember;
import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The limits of all replicas of a service, all or nothing, in place of those of one process. Without a majority of the
 * fleet a request fails with what {@link FleetMember} throws.
 *
 * @param clients the limit of each client
 * @param tenants the limit of each tenant
 * @param service the limit of all requests
 * @param waiting where the attempts wait of callers that must not, as in WebFlux: one thread for each at the same time
 */
public record FleetLimits(
        FleetMember member, FleetLimiter clients, FleetLimiter tenants, FleetLimiter service, Executor waiting)
        implements RequestLimits {
    @Override
    public Verdict decide(Caller caller, int permits) {
        FleetLimiter.Request client = clients.request(caller.client(), permits);
        FleetLimiter.Request all = service.request("all", permits);
        return Verdict.of(
                caller.tenant() == null
                        ? member.tryAcquireAllOrDelay(client, all)
                        : member.tryAcquireAllOrDelay(client, tenants.request(caller.tenant(), permits), all));
    }

    @Override
    public CompletionStage<Verdict> decideAsync(Caller caller, int permits) {
        return CompletableFuture.supplyAsync(() -> decide(caller, permits), waiting);
    }
}
