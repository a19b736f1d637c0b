package io.github.hotpath.examples.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import io.github.bucket4j.Bucket;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** What a web filter asks for each request: the limits of a client, of its tenant and of the service. */
@Warmup(iterations = 10, time = 200, timeUnit = TimeUnit.MILLISECONDS) // it takes long until all is compiled
public class WebBenchmark extends CallBenchmark {
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final String CLIENT = "192.0.2.1";
    private static final String TENANT = "example";

    @Param({
        "the service alone",
        "the service alone, decide",
        "allOf of three limiters, made once",
        "allOf of two keys and the service",
        "allOf of two keys and the service, decide",
        "Bucket4j, three buckets one after the other"
    })
    public String asked;

    /** Refused by the client's limit, or the service's if that is asked alone. */
    @Param({States.FAR, States.REFUSED})
    public String state;

    private LongSupplier call;

    @Setup
    public void create() {
        Limit roomy = Limit.of(10_000_000, INTERVAL);
        Limit client = state.equals(States.FAR) ? roomy : Limit.of(10_000, INTERVAL);
        KeyedLimiter<String> clients = KeyedLimiter.of(client);
        KeyedLimiter<String> tenants = KeyedLimiter.of(roomy);
        SlidingWindowLimiter service = SlidingWindowLimiter.of(asked.startsWith("the service") ? client : roomy);
        Limiter three = Limiter.allOf(SlidingWindowLimiter.of(client), SlidingWindowLimiter.of(roomy), service);
        call = switch (asked) {
            case "the service alone" -> () -> service.tryAcquire(System.nanoTime(), 1) ? 0 : 1;
            case "the service alone, decide" ->
                () -> service.decide(System.nanoTime(), 1).delayNanos();
            case "allOf of three limiters, made once" -> () -> three.tryAcquire(System.nanoTime(), 1) ? 0 : 1;
            case "allOf of two keys and the service" ->
                () -> Limiter.allOf(clients.forKey(CLIENT), tenants.forKey(TENANT), service)
                                .tryAcquire(System.nanoTime(), 1)
                        ? 0
                        : 1;
            case "allOf of two keys and the service, decide" ->
                () -> Limiter.allOf(clients.forKey(CLIENT), tenants.forKey(TENANT), service)
                        .decide(System.nanoTime(), 1)
                        .delayNanos();
            case "Bucket4j, three buckets one after the other" -> ofBuckets(client, roomy);
            default -> throw new IllegalStateException("asked: " + asked);
        };
    }

    /** Not together: a bucket that refuses does not give back what those before it granted. */
    private static LongSupplier ofBuckets(Limit client, Limit roomy) {
        Cache<String, Bucket> clients = Keys.cache(INTERVAL, System::nanoTime);
        Cache<String, Bucket> tenants = Keys.cache(INTERVAL, System::nanoTime);
        Bucket service = Keys.bucket(roomy, false, System::nanoTime);
        return () -> {
            Bucket ofClient = clients.get(CLIENT, any -> Keys.bucket(client, false, System::nanoTime));
            Bucket ofTenant = tenants.get(TENANT, any -> Keys.bucket(roomy, false, System::nanoTime));
            for (Bucket bucket : List.of(ofClient, ofTenant, service)) {
                long delay = bucket.tryConsumeAndReturnRemaining(1).getNanosToWaitForRefill();
                if (delay > 0) {
                    return delay;
                }
            }
            return 0;
        };
    }

    @Benchmark
    public long ask() {
        return call.getAsLong();
    }
}
