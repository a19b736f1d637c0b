package io.github.hotpath.examples.redis;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random attempts at one to three keys, together or alone, with the answer that the library's limiters give to each:
 * out of order, exactly at a delay and a microsecond before it, of many permits and of one.
 */
final class Calls {
    /** How large permits and the limits on them are. */
    enum Weights {
        ONE,
        FEW,
        RARELY_SEVERAL,
        HUGE
    }

    /** An attempt at some of the keys, and the delay in microseconds. */
    record Call(List<Integer> keys, int permits, long micros, long delay) {}

    final List<Limit> limits = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();

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
            List<Integer> keys = keys();
            int permits = permits();
            if (isPossible(keys, permits)) {
                attempt(keys, permits);
                now += random.nextInt(40) == 0 ? random.nextInt(2000) : random.nextLong(pace);
            }
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

    /** Whether no limit is too small: those are refused without the server. */
    private boolean isPossible(List<Integer> keys, int permits) {
        return keys.stream().map(limits::get).allMatch(limit -> limit.isPerCall() || permits <= limit.max());
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
        Limiter model = Limiter.allOf(keys.stream().map(models::get).toList());
        long delay = (model.tryAcquireOrDelay(micros * 1000, permits) + 999) / 1000;
        calls.add(new Call(keys, permits, micros, delay));
        if (delay == 0) {
            latest = Math.max(latest, micros);
        }
        return delay;
    }
}
