package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.redis.Calls.Call;
import io.github.hotpath.examples.redis.Calls.Weights;
import io.lettuce.core.RedisFuture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The script and the library's limiters give the same answers to the same attempts. */
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

    @ParameterizedTest
    @EnumSource
    void answers_randomCalls_areThoseOfTheLimiter(Weights weights) throws Exception {
        assertSameAnswers(weights, 25);
    }

    @Tag("redis")
    @ParameterizedTest
    @EnumSource
    void answers_manyRandomCalls_areThoseOfTheLimiter(Weights weights) throws Exception {
        assertSameAnswers(weights, 100);
    }

    private static void assertSameAnswers(Weights weights, int runs) throws Exception {
        Answers script = new Answers(redis);
        for (int run = 0; run < runs; run++) {
            Calls calls = new Calls(SEED + run, CALLS, weights);
            redis.commands().flushall();
            List<RedisFuture<List<Long>>> answers = new ArrayList<>();
            for (Call call : calls.calls) {
                answers.add(script.ask(
                        List.copyOf(call.limits().keySet()),
                        List.copyOf(call.limits().values()),
                        call.permits(),
                        call.micros()));
            }
            for (int i = 0; i < answers.size(); i++) {
                Call call = calls.calls.get(i);
                assertThat(RedisLimits.answer(
                                call.limits(), call.permits(), answers.get(i).get()))
                        .as("run again with -Dhotpath.seed=%d: call %d of run %d, %s", SEED, i, run, call)
                        .isEqualTo(call.answer());
            }
        }
    }
}
