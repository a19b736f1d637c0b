package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.redis.Calls.Call;
import io.github.hotpath.examples.redis.Calls.Weights;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts and the library's limiters give the same answers to the same attempts. */
@Timeout(600)
class SameAnswersTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);
    private static final int CALLS = 400;

    private static Redis redis;

    @BeforeAll
    static void start() throws Exception {
        redis = new Redis();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    static Stream<Arguments> kinds() {
        return Stream.of(Script.values())
                .flatMap(script -> Stream.of(Weights.values()).map(weights -> Arguments.of(script, weights)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void answers_randomCalls_areThoseOfTheLimiter(Script script, Weights weights) throws Exception {
        assertSameAnswers(script, weights, 25);
    }

    @Tag("redis")
    @ParameterizedTest
    @MethodSource("kinds")
    void answers_manyRandomCalls_areThoseOfTheLimiter(Script script, Weights weights) throws Exception {
        assertSameAnswers(script, weights, 100);
    }

    private static void assertSameAnswers(Script script, Weights weights, int runs) throws Exception {
        String digest = redis.commands().scriptLoad(Redis.withTimeAsLastArgument(script));
        for (int run = 0; run < runs; run++) {
            Calls calls = new Calls(SEED + run, CALLS, weights);
            redis.commands().flushall();
            List<RedisLimiter> limiters = IntStream.range(0, calls.limits.size())
                    .mapToObj(key -> redis.limits(script).limiter("key" + key, calls.limits.get(key)))
                    .toList();
            List<RedisFuture<Long>> answers = new ArrayList<>();
            for (Call call : calls.calls) {
                List<String> arguments = new ArrayList<>(List.of("" + call.permits()));
                call.keys().forEach(key -> arguments.addAll(limiters.get(key).arguments()));
                arguments.add("" + call.micros());
                String[] keys = call.keys().stream().map(key -> "key" + key).toArray(String[]::new);
                answers.add(redis.connection()
                        .async()
                        .evalsha(digest, ScriptOutputType.INTEGER, keys, arguments.toArray(String[]::new)));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get())
                        .as(
                                "run again with -Dhotpath.seed=%d: call %d of run %d, %s, of %s",
                                SEED, i, run, calls.calls.get(i), calls.limits)
                        .isEqualTo(calls.calls.get(i).delay());
            }
        }
    }
}
