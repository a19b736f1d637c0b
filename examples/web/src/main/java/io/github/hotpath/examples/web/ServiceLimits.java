package io.github.hotpath.examples.web;

import io.github.hotpath.limit.Decision;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.Quota;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The limits of a service: of each client, by its plan; of each tenant, which its clients share; and of all together.
 * Thread-safe.
 */
final class ServiceLimits {
    /** The names of the limits, in the order in which a {@link Decision} has their quotas. */
    static final List<String> POLICIES = List.of("client", "tenant", "service");

    private final Map<Plan, Limit> limits;
    private final Map<String, Plan> plans = new ConcurrentHashMap<>();

    private final KeyedLimiter<String> clients = KeyedLimiter.of(client -> List.of(limitOf(planOf(client))));
    private final KeyedLimiter<String> tenants;
    private final SlidingWindowLimiter service;

    /**
     * Creates limits under which nothing counts yet.
     *
     * @param plans the limit of a client, for each plan
     * @param tenant the limit of all clients of a tenant together
     * @param service the limit of all requests, which also bounds how many keys there are
     */
    ServiceLimits(Map<Plan, Limit> plans, Limit tenant, Limit service) {
        limits = new ConcurrentHashMap<>(plans);
        tenants = KeyedLimiter.of(tenant);
        this.service = SlidingWindowLimiter.of(service);
    }

    /** Returns all limits of a request. What one of them refuses counts under none. */
    Limiter of(Caller caller) {
        return Limiter.allOf(clients.forKey(caller.client()), tenants.forKey(caller.tenant()), service);
    }

    /** Returns the names of the limits that a refused request exceeds. */
    static List<String> violated(Decision decision) {
        List<Quota> quotas = decision.quotas();
        List<String> violated = new ArrayList<>();
        for (int i = 0; i < quotas.size(); i++) {
            if (quotas.get(i).exceeded()) {
                violated.add(POLICIES.get(i));
            }
        }
        return violated;
    }

    /** Gives a client another plan. What it has been granted counts toward the new limit. */
    void setPlan(String client, Plan plan) {
        plans.put(client, plan);
        clients.updateLimits(client);
    }

    /** Gives all clients with a plan another limit. What they have been granted counts toward it. */
    void setLimit(Plan plan, Limit limit) {
        limits.put(plan, limit);
        clients.updateAllLimits();
    }

    private Plan planOf(String client) {
        return plans.getOrDefault(client, Plan.FREE);
    }

    private Limit limitOf(Plan plan) {
        Limit limit = limits.get(plan);
        if (limit == null) {
            throw new IllegalStateException("no limit for " + plan);
        }
        return limit;
    }

    /** {@return how many clients have an entry} */
    int clients() {
        return clients.size();
    }

    /** {@return how many tenants have an entry} */
    int tenants() {
        return tenants.size();
    }
}
