package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.redis.Calls.Weights;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The script and {@link io.github.hotpath.limit.SlidingWindowLimiter} give the same answers to the same calls. */
@Timeout(300)
class SameAnswersTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);
    private static final int CALLS = 400;

    private static ServerProcess server;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> connection;

    @BeforeAll
    static void start(@TempDir Path dir) throws Exception {
        server = new ServerProcess(dir.resolve("server"), ServerProcess.chosenProgram());
        client = RedisClient.create(server.uri());
        connection = client.connect();
    }

    @AfterAll
    static void stop() throws Exception {
        client.shutdown();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void answers_randomCalls_areThoseOfTheLimiter(Weights weights) throws Exception {
        assertSameAnswers(AcquireScript.STANDARD, weights, 20, 40);
    }

    /** The million calls. */
    @Tag("redis")
    @ParameterizedTest
    @EnumSource
    void answers_manyRandomCalls_areThoseOfTheLimiter(Weights weights) throws Exception {
        assertSameAnswers(AcquireScript.STANDARD, weights, 500, 40);
    }

    /** With constants that let rare things happen often. */
    @Test
    void answers_smallConstants_areThoseOfTheLimiter() throws Exception {
        AcquireScript script = AcquireScript.of(withSmallConstants(AcquireScript.STANDARD.text()));

        assertSameAnswers(script, Weights.ONE, 10, 1);
        assertSameAnswers(script, Weights.FEW, 20, 20);
        assertSameAnswers(script, Weights.RARELY_SEVERAL, 20, 20);
    }

    private static void assertSameAnswers(AcquireScript script, Weights weights, int runs, int largest)
            throws Exception {
        assertThat(connection.sync().scriptLoad(script.text())).isEqualTo(script.digest());
        long first = SEED + 1000L * weights.ordinal();
        CompletableFuture<Calls> next = made(first, weights, largest);
        for (int i = 0; i < runs; i++) {
            long seed = first + i;
            Calls calls = next.get();
            next = made(seed + 1, weights, largest); // while the server works

            assertThat(calls.firstWrong(connection, script, "same-" + seed))
                    .as("run again with -Dhotpath.seed=%d: %s", SEED, calls.rules.limits())
                    .isNull();
        }
    }

    private static CompletableFuture<Calls> made(long seed, Weights weights, int largest) {
        return CompletableFuture.supplyAsync(() -> new Calls(seed, CALLS, weights, largest));
    }

    /**
     * Sums that pass the modulus often, a check of how far back sums are known at every second place, and one of the
     * size of the value at every interval. For up to 20 permits.
     */
    static String withSmallConstants(String script) {
        return replaced(
                replaced(script, "WRAP, STEP = 2 ^ 52, 2 ^ 18", "WRAP, STEP = 2 ^ 11, 2"),
                "LEAST_LIFE, SECOND, MINUTE = 5000000",
                "LEAST_LIFE, SECOND, MINUTE = 0");
    }

    static String replaced(String text, String from, String to) {
        assertThat(text).contains(from);
        return text.replace(from, to);
    }
}
