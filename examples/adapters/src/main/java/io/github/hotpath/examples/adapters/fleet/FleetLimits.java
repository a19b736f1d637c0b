package io.github.hotpath.examples.adapters.fleet;

import io.github.hotpath.examples.fleet.FleetLimiter;
import io.github.hotpath.examples.fleet.FleetMember;
import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;

/**
 * The limits of all replicas of a service, all or nothing, in place of those of one process. Without a majority of the
 * fleet a request fails with what {@link FleetMember} throws.
 *
 * @param clients the limit of each client
 * @param tenants the limit of each tenant
 * @param service the limit of all requests
 */
public record FleetLimits(FleetMember member, FleetLimiter clients, FleetLimiter tenants, FleetLimiter service)
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
}
