package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Faults of limiters that share and tell, as others have reported them: above each test, where. */
class JointPeerFaultsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long SECOND = 1_000_000_000;

    private final KeyedLimiter<String> clients = KeyedLimiter.of(Limit.of(5, MINUTE));
    private final SlidingWindowLimiter service = SlidingWindowLimiter.of(Limit.of(20, MINUTE));

    private Limiter both(String client) {
        return Limiter.allOf(clients.forKey(client), service);
    }

    /**
     * .NET's chained limiters acquire in order and give back in reverse, so the first ones count a refused request
     * (dotnet/runtime#113314).
     */
    @Test
    void dotnet_chained_countsNoRefusedRequest() {
        service.record(0, 20);

        for (int i = 0; i < 100; i++) {
            assertThat(both("a").tryAcquire(0, 1)).isFalse();
            assertThat(both("a").tryAcquireOrDelay(0, 1)).isEqualTo(MINUTE.toNanos() + 1);
        }

        assertThat(clients.forKey("a").available(0)).isEqualTo(5);
    }

    /** rate-limiter-flexible's union counts before it decides: refused calls of one client drain all others' (#280). */
    @Test
    void flexible_union_aGreedyClientTakesNothingFromOthers() {
        int granted = 0;
        for (int i = 0; i < 10_000; i++) {
            granted += both("greedy").tryAcquire(0, 1) ? 1 : 0;
        }

        assertThat(granted).isEqualTo(5);
        assertThat(service.available(0)).isEqualTo(15);
        assertThat(both("modest").tryAcquire(0, 1)).isTrue();
    }

    /**
     * The limit of an end point refuses, and the budget of the user is spent (langfuse PR#14280, gloo #10613, milvus PR
     * #25597, hypervel PR#594).
     */
    @Test
    void langfuse_theEndPointRefuses_theBudgetOfTheUserStays() {
        SlidingWindowLimiter endPoint = SlidingWindowLimiter.of(Limit.of(1, MINUTE));
        Limiter request = Limiter.allOf(clients.forKey("user"), service, endPoint);
        assertThat(request.tryAcquire(0, 1)).isTrue();

        assertThat(request.decide(1, 1).isGranted()).isFalse();
        assertThat(request.reserve(1, 1, Duration.ofSeconds(1)).isGranted()).isFalse();

        assertThat(clients.forKey("user").available(1)).isEqualTo(4);
        assertThat(service.available(1)).isEqualTo(19);
    }

    /** Of .NET's combined limiters it cannot be told which one refused (dotnet/runtime#130114, aspnetcore#52411). */
    @Test
    void dotnet_combined_tellsWhichLimitRefused() {
        service.record(0, 19);

        assertThat(both("a").decide(0, 2).quotas()).extracting(Quota::exceeded).containsExactly(false, true);
        assertThat(both("a").decide(0, 6).quotas()).extracting(Quota::exceeded).containsExactly(true, true);
        assertThat(both("a").decide(0, 1).quotas()).extracting(Quota::exceeded).containsExactly(false, false);
        assertThat(both("a").peek(0, 1).quotas()).extracting(Quota::exceeded).containsExactly(false, true);
    }

    /** RetryAfter of .NET is null, or the whole window (dotnet/runtime#92557). */
    @Test
    void dotnet_retryAfter_isTheTimeUntilTheRequestIsGranted() {
        both("a").tryAcquire(0, 5);

        long delay = both("a").decide(20 * SECOND, 1).delayNanos();

        assertThat(delay).isEqualTo(40 * SECOND + 1);
        assertThat(both("a").tryAcquire(20 * SECOND + delay - 1, 1)).isFalse();
        assertThat(both("a").tryAcquire(20 * SECOND + delay, 1)).isTrue();
    }

    /** The wait with two rates was that of one of them (PyrateLimiter#184). */
    @Test
    void pyrate_twoRates_theDelayIsTheLongest() {
        SlidingWindowLimiter fast = SlidingWindowLimiter.of(Limit.of(1, Duration.ofNanos(10)));
        SlidingWindowLimiter slow = SlidingWindowLimiter.of(Limit.of(2, Duration.ofNanos(100)));
        Limiter together = Limiter.allOf(fast, slow);
        assertThat(together.tryAcquire(0, 1)).isTrue();
        assertThat(together.tryAcquireOrDelay(5, 1)).isEqualTo(6);
        assertThat(together.tryAcquire(11, 1)).isTrue();

        assertThat(together.tryAcquireOrDelay(15, 1)).isEqualTo(101 - 15);
        assertThat(Limiter.allOf(slow, fast).tryAcquireOrDelay(15, 1)).isEqualTo(101 - 15);
    }

    /** More than a limit ever allows was told to wait for less than a second (bucket4j#279). */
    @Test
    void bucket4j_moreThanALimit_isToldNever() {
        Decision decision = both("a").decide(0, 6);

        assertThat(decision.delayNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(decision.quotas()).extracting(Quota::exceeded).containsExactly(true, false);
    }

    /**
     * Retry-After was too optimistic, then negative (flask-limiter#62), or "not easy to calculate" for a sliding window
     * (caddy-ext#6).
     */
    @Test
    void flaskLimiter_retryAfter_isNeverNegativeNorTooEarly() {
        for (int i = 0; i < 5; i++) {
            both("a").tryAcquire(i * SECOND, 1);
        }
        for (long time = 4 * SECOND; time <= MINUTE.toNanos(); time += SECOND / 4) {
            assertThat(both("a").peek(time, 1).delayNanos()).isEqualTo(MINUTE.toNanos() + 1 - time);
        }
        assertThat(both("a").peek(MINUTE.toNanos() + 1, 1).delayNanos()).isZero();
        assertThat(both("a").peek(-SECOND, 1).delayNanos()).isEqualTo(MINUTE.toNanos() + 1 + SECOND);
    }

    /**
     * The reset in Bucket4j's documented header is the time until all of a quota remains; the RateLimit fields want the
     * time until more does (draft-ietf-httpapi-ratelimit-headers, issue 149).
     */
    @Test
    void bucket4j_header_tellsWhenThereIsMore() {
        both("a").tryAcquire(0, 2);
        both("b").tryAcquire(10 * SECOND, 1);

        List<Quota> quotas = both("b").peek(15 * SECOND, 1).quotas();

        assertThat(quotas)
                .containsExactly(
                        new Quota(Limit.of(5, MINUTE), 4, 55 * SECOND + 1, false),
                        new Quota(Limit.of(20, MINUTE), 17, 45 * SECOND + 1, false));
    }

    /** Charging after the fact removed what the window had (MemWal#609). */
    @Test
    void memwal_recordAfterTheFact_keepsTheHistory() {
        both("a").tryAcquire(0, 3);

        both("a").record(30 * SECOND, 4);

        assertThat(clients.forKey("a").available(30 * SECOND)).isZero();
        assertThat(clients.forKey("a").available(MINUTE.toNanos() + 1)).isEqualTo(1);
        assertThat(service.available(30 * SECOND)).isEqualTo(13);
    }

    /** Requests and tokens shared the key of a window, and what was refused leaked (litellm#24677, PR#27001). */
    @Test
    void litellm_requestsAndTokens_areCountedApart() {
        SlidingWindowLimiter model = SlidingWindowLimiter.of(Limit.of(100, MINUTE), Limit.ofCalls(2, MINUTE));
        Limiter request = Limiter.allOf(clients.forKey("a"), model);
        assertThat(request.tryAcquire(0, 5)).isTrue();
        assertThat(request.tryAcquire(0, 1)).isFalse();

        assertThat(model.decide(0, 60).quotas())
                .containsExactly(
                        new Quota(Limit.of(100, MINUTE), 35, MINUTE.toNanos() + 1, false),
                        new Quota(Limit.ofCalls(2, MINUTE), 0, MINUTE.toNanos() + 1, false));
    }

    /** A refund came to the wrong window and erased what others had reserved (Instawork/llm-proxy PR#40). */
    @Test
    void llmProxy_aCorrection_isMadeInEachAtItsOwnTime() {
        Reservation first = both("a").reserve(0, 5, Duration.ZERO);
        Reservation second = both("b").reserve(10 * SECOND, 5, Duration.ZERO);

        assertThat(first.adjustTo(1)).isTrue();

        assertThat(service.available(10 * SECOND)).isEqualTo(14);
        assertThat(clients.forKey("b").available(10 * SECOND)).isZero();
        assertThat(service.available(MINUTE.toNanos() + 1)).isEqualTo(15);
        assertThat(second.cancel()).isTrue();
        assertThat(service.available(10 * SECOND)).isEqualTo(19);
    }
}
