package io.github.hotpath.examples.redis;

import io.github.hotpath.examples.redis.RedisLimits.Answer;
import io.github.hotpath.limit.Decision;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.Quota;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Random attempts at one to three keys, together or alone, with the answer that the library's limiters give to each:
 * out of order, exactly at a delay and a microsecond before it, of many permits and of one, also of more than a limit
 * has, and of limits whose maximum changes.
 */
final class Calls {
    /** How large permits and the limits on them are. */
    enum Weights {
        ONE,
        FEW,
        RARELY_SEVERAL,
        HUGE
    }

    /** An attempt at some of the keys, and the answer in whole microseconds. */
    record Call(Map<String, Limit> limits, int permits, long micros, Answer answer) {}

    final List<Call> calls = new ArrayList<>();

    private final List<Limit> limits = new ArrayList<>();
    private final List<SlidingWindowLimiter> models = new ArrayList<>();
    private final SplittableRandom random;
    private final Weights weights;
    private long now;
    private long latest;

    Calls(long seed, int number, Weights weights) {
        random = new SplittableRandom(seed);
        this.weights = weights;
        for (int key = random.nextInt(4); key < 4; key++) {
            Limit limit = limit();
            limits.add(limit);
            models.add(SlidingWindowLimiter.of(limit));
        }
        now = 1_700_000_000_000_000L + random.nextInt(1000);
        latest = now;
        long pace = 1 + random.nextInt(20);
        while (calls.size() < number) {
            if (random.nextInt(30) == 0) {
                change(random.nextInt(limits.size()));
            }
            attempt(keys(), permits());
            now += random.nextInt(40) == 0 ? random.nextInt(2000) : random.nextLong(pace);
        }
    }

    private void attempt(List<Integer> keys, int permits) {
        long time = random.nextInt(10) == 0 ? latest - random.nextInt(50) : now;
        long delay = answer(keys, time, permits);
        if (delay > 0 && delay < 1L << 40 && random.nextInt(3) > 0) { // a microsecond before it is over, and then
            answer(keys, time + delay - 1, permits);
            answer(keys, time + delay, permits);
            now = Math.max(now, time + delay);
        }
        if (random.nextInt(15) == 0) { // until it is refused
            for (int i = 0; i < 70 && answer(keys, Math.max(now, latest), permits) == 0; i++) {
                latest = Math.max(now, latest);
            }
        }
        now = Math.max(now, latest);
    }

    private List<Integer> keys() {
        List<Integer> keys = new ArrayList<>();
        for (int key = 0; key < limits.size(); key++) {
            if (random.nextBoolean()) {
                keys.add(key);
            }
        }
        return keys.isEmpty() ? List.of(random.nextInt(limits.size())) : keys;
    }

    /** Changes the maximum of a limit, to 0 or more. */
    private void change(int key) {
        Limit old = limits.get(key);
        long max = random.nextLong(2 * old.max() + 5);
        limits.set(key, old.isPerCall() ? Limit.ofCalls(max, old.interval()) : Limit.of(max, old.interval()));
        models.get(key).setLimits(limits.get(key));
    }

    private Limit limit() {
        Duration interval = Duration.ofNanos(random.nextInt(8) == 0 ? random.nextInt(3000) : random.nextLong(900_000));
        int size = random.nextInt(4) == 0 ? 60 : 12;
        if (random.nextInt(5) == 0) {
            return Limit.ofCalls(1 + random.nextInt(size), interval);
        }
        return switch (weights) {
            case ONE -> Limit.of(1 + random.nextInt(size), interval);
            case FEW, RARELY_SEVERAL -> Limit.of(1 + random.nextInt(size * 20), interval);
            case HUGE -> Limit.of(1 + random.nextLong((long) size << 31), interval);
        };
    }

    private int permits() {
        return switch (weights) {
            case ONE -> 1;
            case FEW -> random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(40);
            case RARELY_SEVERAL -> random.nextInt(50) == 0 ? 1 + random.nextInt(40) : 1;
            case HUGE -> random.nextInt(5) == 0 ? 1 : 1 + random.nextInt(Integer.MAX_VALUE);
        };
    }

    /** Adds a call, and returns the delay in microseconds, rounded up. */
    private long answer(List<Integer> keys, long micros, int permits) {
        Decision decision =
                Limiter.allOf(keys.stream().map(models::get).toList()).decide(micros * 1000, permits);
        Map<String, Limit> asked = new LinkedHashMap<>();
        Map<String, Quota> quotas = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            Quota quota = decision.quotas().get(i);
            asked.put("key" + keys.get(i), limits.get(keys.get(i)));
            quotas.put(
                    "key" + keys.get(i),
                    new Quota(
                            limits.get(keys.get(i)),
                            quota.remaining(),
                            roundedUp(quota.nanosUntilMore()),
                            quota.exceeded()));
        }
        calls.add(new Call(asked, permits, micros, new Answer(roundedUp(decision.delayNanos()), quotas)));
        if (decision.isGranted()) {
            latest = Math.max(latest, micros);
        }
        return roundedUp(decision.delayNanos()) / 1000;
    }

    private static long roundedUp(long nanos) {
        return nanos == Long.MAX_VALUE ? nanos : (nanos + 999) / 1000 * 1000;
    }
}
