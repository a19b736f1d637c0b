package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.hotpath.window.AtOnce;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults of maps around limiters: above each test, where. */
class KeyedLimiterPeerFaultsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakeTicker clock = new FakeTicker();
    private final KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(3, MINUTE));

    private boolean tryAcquire(String key) {
        return limiter.forKey(key).tryAcquire(clock.read(), 1);
    }

    private void useUp(String key) {
        for (int i = 0; i < 3; i++) {
            assertThat(tryAcquire(key)).isTrue();
        }
        assertThat(tryAcquire(key)).isFalse();
    }

    /**
     * NVIDIA's rate limiter ran out of memory after weeks, as some keys never expired (nvcf#1571); Redisson's keys have
     * no expiry of their own (#4301, #4813); a map of Bucket4j's buckets grew with each address
     * (spring-ai-agentcore#51).
     */
    @Test
    void nvcf_keysThatNeverExpire_areEvicted() {
        for (int i = 0; i < 50_000; i++) {
            assertThat(tryAcquire("address " + i)).isTrue();
            clock.advance(MINUTE.dividedBy(100)); // a hundred of them at a time

            assertThat(limiter.size()).isLessThanOrEqualTo(4 * 101 + 64);
        }
    }

    /** In governor keys stay until the application calls for their removal, as from a timer (#171). */
    @Test
    void governor_keysStayUntilAskedFor_areEvictedByOthers() {
        for (int i = 0; i < 10_000; i++) {
            tryAcquire("address " + i);
        }
        clock.advance(MINUTE.plusNanos(1));

        for (int i = 0; i < 16; i++) {
            tryAcquire("later " + i);
        }

        assertThat(limiter.size()).isLessThanOrEqualTo(4 * 16 + 64);
    }

    /**
     * A cache of limited size evicts limiters in use: an attacker with enough addresses resets any client's limit, and
     * its own (fastmcp#4057, kubernetes/community#945, MCPJam/inspector#3715).
     */
    @Test
    void fastmcp_evictedByNumber_noLimitStartsOver() {
        useUp("victim");

        for (int i = 0; i < 100_000; i++) {
            tryAcquire("address " + i);
        }

        assertThat(tryAcquire("victim")).isFalse();
        assertThat(tryAcquire("address 0")).isTrue();
        assertThat(limiter.forKey("address 0").available(clock.read())).isEqualTo(1);
    }

    /**
     * An entry with a time to live that is shorter than the interval, or is not that of the limiter, resets a limit.
     */
    @Test
    void redisson_expiresBeforeTheWindow_onlyWhenIdleToTheNanosecond() {
        useUp("a");
        clock.advance(MINUTE);
        limiter.evictIdle(clock.read());

        assertThat(tryAcquire("a")).isFalse();
        clock.advance(1);
        limiter.evictIdle(clock.read());
        assertThat(limiter.size()).isZero();
        assertThat(tryAcquire("a")).isTrue();
    }

    /** In Redisson a key that expires between two calls fails the second one: "not initialized" (#3260). */
    @Test
    @Timeout(60)
    void redisson_failsWhenEvictedMeanwhile_isAddedAgain() {
        new AtOnce()
                .on(2, () -> {
                    for (int i = 0; i < 20_000; i++) {
                        limiter.forKey("a").reserve(0, 1, Duration.ZERO).cancel();
                    }
                })
                .watchedBy(() -> limiter.evictIdle(0))
                .run();

        assertThat(limiter.forKey("a").available(0)).isEqualTo(3);
    }

    /** In mcp-ts-core an empty key stopped all eviction (#405). */
    @Test
    void mcpTsCore_emptyKeyStopsEviction_isAKeyLikeAnyOther() {
        useUp("");
        for (int i = 0; i < 1_000; i++) {
            tryAcquire("address " + i);
            clock.advance(MINUTE);
        }

        assertThat(limiter.size()).isLessThanOrEqualTo(4 * 2 + 64);
        assertThat(tryAcquire("")).isTrue();
    }

    /** In Wheels a request sorted the whole store when that was full (#2993). */
    @Test
    void wheels_sweepOfTheWholeStore_examinesAShare() {
        for (int i = 0; i < 80_000; i++) {
            tryAcquire("address " + i);
        }
        clock.advance(MINUTE.plusNanos(1));

        tryAcquire("later");

        assertThat(limiter.size()).isBetween(80_000 - 80_000 / 8 - 8, 80_000);
    }

    /** In several maps each refused request of an unknown key adds an entry (governor#171). */
    @Test
    void governor_refusedRequestsAddKeys_onlyGrantedOnesDo() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(limiter.forKey("address " + i).tryAcquire(clock.read(), 4))
                    .isFalse();
            assertThat(limiter.forKey("address " + i).available(clock.read())).isEqualTo(3);
        }

        assertThat(limiter.size()).isZero();
    }
}
