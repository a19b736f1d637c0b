package io.github.hotpath.examples.redis;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Random calls of one key, with the answer that a {@link SlidingWindowLimiter} gives to each: of one to three limits,
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

    final Rules rules;
    final List<String[]> arguments = new ArrayList<>();
    final List<Long> expected = new ArrayList<>();

    private final List<Long> granted = new ArrayList<>();
    private final SplittableRandom random;
    private final Weights weights;
    private final int largest;

    /** Makes so many calls; {@code largest} is the largest number of permits of a call but for {@link Weights#HUGE}. */
    Calls(long seed, int calls, Weights weights, int largest) {
        random = new SplittableRandom(seed);
        this.weights = weights;
        this.largest = largest;
        Limit[] limits = new Limit[1 + random.nextInt(3)];
        for (int i = 0; i < limits.length; i++) {
            limits[i] = limit(i);
        }
        rules = new Rules(limits);
        SlidingWindowLimiter model = SlidingWindowLimiter.of(List.of(limits));
        long now = 1_700_000_000_000_000L + random.nextInt(1000);
        long latest = now;
        long rare = 1 + random.nextInt(200);
        long pace = 1 + random.nextInt(20);
        for (int i = 0; i < calls; i++) {
            int permits = permits(rare);
            long time = random.nextInt(10) == 0 ? latest - random.nextInt(50) : now;
            long delay = answer(model, time, permits);
            now = Math.max(now, time);
            if (delay == 0) {
                latest = Math.max(latest, time);
            } else if (delay > 0 && delay < 1L << 40 && random.nextInt(3) > 0) { // at the delay, and just before
                answer(model, time + delay - 1, permits);
                now = Math.max(now, time + delay);
            }
            now += random.nextInt(40) == 0 ? random.nextInt(2000) : random.nextLong(pace);
            if (random.nextInt(15) == 0) {
                now = burst(model, Math.max(now, latest));
                latest = now;
            }
        }
    }

    /** Adds calls at the moment at which an earlier grant counts for the last time, or just after, until refused. */
    private long burst(SlidingWindowLimiter model, long now) {
        Limit limit = model.limits().get(random.nextInt(model.limits().size()));
        long interval = limit.interval().toNanos() / 1000;
        long age = granted.isEmpty() ? 0 : now - granted.get(random.nextInt(granted.size()));
        long time = age > interval ? now : now + interval - age + random.nextInt(2);
        int permits = permits(5);
        for (int i = 0; i < 70 && answer(model, time, permits) == 0; i++) {
            permits = permits(30);
        }
        return time;
    }

    private Limit limit(int index) {
        Duration interval = Duration.ofNanos(random.nextInt(8) == 0 ? random.nextInt(3000) : random.nextLong(900_000));
        int size = random.nextInt(4) == 0 ? 60 : 12;
        if (index > 0 && random.nextInt(4) == 0) {
            return Limit.ofCalls(1 + random.nextInt(size), Duration.ofNanos(random.nextLong(900_000)));
        }
        if (index == 0 && random.nextInt(8) == 0) {
            return Limit.ofCalls(1 + random.nextInt(size), interval);
        }
        return switch (weights) {
            case ONE -> Limit.of(1 + random.nextInt(size), interval);
            case FEW, RARELY_SEVERAL -> Limit.of(1 + random.nextInt(size * largest / 2), interval);
            case HUGE -> Limit.of(1 + random.nextLong((long) size << 31), interval);
        };
    }

    private int permits(long rare) {
        return switch (weights) {
            case ONE -> 1;
            case FEW -> random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(largest);
            case RARELY_SEVERAL -> random.nextLong(rare) == 0 ? 1 + random.nextInt(largest) : 1;
            case HUGE -> random.nextInt(20) == 0 ? 1 : 1 + random.nextInt(Integer.MAX_VALUE);
        };
    }

    /** Adds a call, and returns the delay in microseconds, or -1. */
    private long answer(SlidingWindowLimiter model, long micros, int permits) {
        long nanos = model.tryAcquireOrDelay(micros * 1000, permits);
        long delay = nanos == Long.MAX_VALUE ? -1 : (nanos + 999) / 1000; // rounded up to the next microsecond
        arguments.add(rules.arguments(permits, Long.toString(micros)));
        expected.add(delay);
        if (delay == 0) {
            granted.add(micros);
            if (granted.size() > 40) {
                granted.remove(0);
            }
        }
        return delay;
    }

    /** Makes the calls with a script, and returns the first that has another answer, or null. */
    @Nullable
    String firstWrong(StatefulRedisConnection<String, String> connection, AcquireScript script, String key)
            throws InterruptedException, TimeoutException {
        RedisAsyncCommands<String, String> commands = connection.async();
        String[] keys = {key};
        List<RedisFuture<Long>> answers = new ArrayList<>();
        for (String[] call : arguments) {
            answers.add(commands.evalsha(script.digest(), ScriptOutputType.INTEGER, keys, call));
        }
        RedisFuture<Long> deleted = commands.del(key);
        String wrong = null;
        for (int i = 0; i < answers.size() && wrong == null; i++) {
            String answer = answer(answers.get(i));
            if (!answer.equals(expected.get(i).toString())) {
                wrong = "call " + i + " " + String.join(" ", arguments.get(i)) + ": " + answer + ", expected "
                        + expected.get(i);
            }
        }
        answer(deleted);
        return wrong;
    }

    private static String answer(RedisFuture<Long> future) throws InterruptedException, TimeoutException {
        try {
            return String.valueOf(future.get(5, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RedisCommandExecutionException) {
                return String.valueOf(e.getCause().getMessage());
            }
            throw new IllegalStateException(e);
        }
    }
}
