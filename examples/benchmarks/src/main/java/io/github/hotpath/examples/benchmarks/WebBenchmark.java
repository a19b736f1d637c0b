package io.github.hotpath.examples.benchmarks;

import io.github.bucket4j.Bucket;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** What a web filter asks for each request: the limits of a client, of its tenant and of the service. */
@Warmup(iterations = 8, time = 200, timeUnit = TimeUnit.MILLISECONDS) // it takes long until all is compiled
public class WebBenchmark extends CallBenchmark {
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final String CLIENT = "192.0.2.1";
    private static final String TENANT = "example";

    @Param("the service alone")
    public String asked;

    /** Refused by the client's limit, or the service's if that is asked alone. */
    @Param({States.FAR, States.REFUSED})
    public String state;

    private final Keys.OneReading reading = new Keys.OneReading(System::nanoTime);
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
            case "Bucket4j, two in Caffeine caches and the service's" ->
                ofBuckets(System::nanoTime, true, client, roomy);
            case "Bucket4j, the same with one reading" -> withOneReading(ofBuckets(reading, true, client, roomy));
            case "Bucket4j, in ConcurrentHashMaps, with one reading" ->
                withOneReading(ofBuckets(reading, false, client, roomy));
            default -> throw new IllegalStateException("asked: " + asked);
        };
    }

    /** Not together: a bucket that refuses does not give back what those before it granted. One looks up and asks in turn. */
    private static LongSupplier ofBuckets(LongSupplier clock, boolean isCached, Limit client, Limit roomy) {
        Function<String, Bucket> clients =
                isCached ? Keys.cached(client, false, clock) : Keys.mapped(client, false, clock);
        Function<String, Bucket> tenants =
                isCached ? Keys.cached(roomy, false, clock) : Keys.mapped(roomy, false, clock);
        Bucket service = Limiters.bucket(clock, false, List.of(roomy));
        return () -> {
            long delay = delay(clients.apply(CLIENT));
            if (delay == 0) {
                delay = delay(tenants.apply(TENANT));
            }
            return delay == 0 ? delay(service) : delay;
        };
    }

    private LongSupplier withOneReading(LongSupplier asked) {
        return () -> {
            reading.read();
            return asked.getAsLong();
        };
    }

    private static long delay(Bucket bucket) {
        return bucket.tryConsumeAndReturnRemaining(1).getNanosToWaitForRefill();
    }

    @Benchmark
    public long ask(Refusals refusals) {
        return refusals.count(call.getAsLong());
    }
}
