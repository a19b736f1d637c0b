package io.github.hotpath.examples.adapters.redis;

import io.github.hotpath.examples.redis.RedisLimiter;
import io.github.hotpath.examples.redis.RedisLimits;
import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;
import io.github.hotpath.limit.Limit;
import java.util.concurrent.CompletionStage;

/**
 * The limits of all processes that share a Redis, all or nothing, in place of those of one process. If Redis cannot be
 * reached, a request fails with what {@link RedisLimiter} throws.
 *
 * @param prefix what all keys begin with, so that services that share a Redis do not count together; on a cluster, a
 *     tag that keeps the keys together, such as <code>{api}</code>
 * @param client the limit of each client
 * @param tenant the limit of each tenant
 * @param service the limit of all requests
 */
public record SharedLimits(RedisLimits redis, String prefix, Limit client, Limit tenant, Limit service)
        implements RequestLimits {
    @Override
    public Verdict decide(Caller caller, int permits) {
        return Verdict.of(limiter(caller).tryAcquireOrDelay(permits));
    }

    @Override
    public CompletionStage<Verdict> decideAsync(Caller caller, int permits) {
        return limiter(caller).tryAcquireOrDelayAsync(permits).thenApply(Verdict::of);
    }

    private RedisLimiter limiter(Caller caller) {
        RedisLimiter ofClient = redis.limiter(prefix + ":client:" + caller.client(), client);
        RedisLimiter ofService = redis.limiter(prefix + ":service", service);
        return caller.tenant() == null
                ? RedisLimiter.allOf(ofClient, ofService)
                : RedisLimiter.allOf(ofClient, redis.limiter(prefix + ":tenant:" + caller.tenant(), tenant), ofService);
    }
}
