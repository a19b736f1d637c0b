package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.Limit;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;

/** The answers of the script by a clock of the test: the microseconds are the last argument. */
final class Answers {
    private static final String TIME = "local clock = redis.call('TIME')\n";
    private static final String EXPIRY = "+ 1000)\n";

    private final Redis redis;
    private final String digest;

    Answers(Redis redis) {
        this.redis = redis;
        assertThat(RedisLimits.SCRIPT).containsOnlyOnce(TIME).containsOnlyOnce(EXPIRY);
        digest = redis.commands()
                .scriptLoad(RedisLimits.SCRIPT
                        .replace(TIME, "local clock = {0, ARGV[#ARGV]}\n")
                        .replace(EXPIRY, "+ 60000)\n")); // as long may the machine stall
    }

    /** Asks for permits at keys with a limit each, and returns what the script does. */
    RedisFuture<List<Long>> ask(List<String> keys, List<Limit> limits, int permits, long micros) {
        List<String> arguments = new ArrayList<>(List.of("" + permits));
        for (Limit limit : limits) {
            arguments.add((limit.isPerCall() ? "-" : "") + limit.max());
            arguments.add("" + limit.interval().toNanos() / 1000);
        }
        arguments.add("" + micros);
        return redis.connection()
                .async()
                .evalsha(digest, ScriptOutputType.MULTI, keys.toArray(String[]::new), arguments.toArray(String[]::new));
    }

    /** Returns the delay in microseconds. */
    long ask(String key, Limit limit, int permits, long micros) {
        return ask(List.of(key), List.of(limit), permits, micros)
                .toCompletableFuture()
                .join()
                .get(0);
    }
}
