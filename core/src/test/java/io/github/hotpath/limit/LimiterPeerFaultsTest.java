package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.testing.FakeTicker;
import io.github.hotpath.window.AtOnce;
import io.github.hotpath.window.Fields;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other limiters get wrong: above each test, what the other library does. */
class LimiterPeerFaultsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration ANY = Duration.ofSeconds(Long.MAX_VALUE);

    private final FakeTicker clock = new FakeTicker();

    /**
     * In Bucket4j, consuming a negative number of tokens added them (#417); node-rate-limiter-flexible accepted
     * negative numbers as well (#82).
     */
    @ParameterizedTest
    @ValueSource(ints = {-1, -1_000, Integer.MIN_VALUE})
    void bucket4j_negativeConsumptionAddsTokens_isRejected(int permits) {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(10, SECOND));
        limiter.tryAcquire(clock.read(), 4);

        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire(clock.read(), permits));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireOrDelay(clock.read(), permits));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.reserve(clock.read(), permits, ANY));

        assertThat(limiter.available(clock.read())).isEqualTo(6);
    }

    /** Bucket4j returned stale tokens of single bandwidths in its diagnostics (#279). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bucket4j_staleCountOfOneLimit_eachIsEvaluatedAtTheTimeGiven(boolean shorterFirst) {
        Limit shorter = Limit.of(5, SECOND);
        Limit longer = Limit.of(20, MINUTE);
        SlidingWindowLimiter limiter =
                shorterFirst ? SlidingWindowLimiter.of(shorter, longer) : SlidingWindowLimiter.of(longer, shorter);

        for (int seconds = 0; seconds < 4; seconds++) {
            assertThat(limiter.available(clock.read())).isEqualTo(5);
            assertThat(limiter.tryAcquire(clock.read(), 5)).isTrue();
            assertThat(limiter.available(clock.read())).isZero();
            clock.advance(SECOND.plusNanos(1));
        }

        assertThat(limiter.available(clock.read())).isZero(); // the limit of the minute; that of the second has five
        long delay = MINUTE.minus(SECOND.multipliedBy(4)).toNanos() - 3;
        assertThat(limiter.tryAcquireOrDelay(clock.read(), 1)).isEqualTo(delay);
        clock.advance(delay);
        assertThat(limiter.available(clock.read())).isEqualTo(5);
    }

    /** Bucket4j returned a wait of 0.66 s for more tokens than the bucket can hold (#220). */
    @Test
    void bucket4j_waitForMoreThanTheCapacity_isNever() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(10, SECOND));

        assertThat(limiter.tryAcquireOrDelay(clock.read(), 11)).isEqualTo(Long.MAX_VALUE);
        assertThat(limiter.reserve(clock.read(), 11, ANY).isGranted()).isFalse();
    }

    /** Go's {@code Cancel} restores the tokens less those that were reserved later (golang/go#56924). */
    @Test
    void go_cancelRestoresTooLittle_restoresAll() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(10, SECOND));
        Reservation first = limiter.reserve(clock.read(), 5, ANY);
        Reservation second = limiter.reserve(clock.read(), 3, ANY);

        assertThat(first.cancel()).isTrue();
        assertThat(limiter.available(clock.read())).isEqualTo(7);
        assertThat(second.cancel()).isTrue();

        assertThat(limiter.available(clock.read())).isEqualTo(10);
    }

    /**
     * In Go, -212 tokens were left after cancellations, for which hundreds of later calls had to wait
     * (golang/go#69419).
     */
    @Test
    void go_cancelLeavesNegativeTokens_leavesNone() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(10, SECOND));
        for (int round = 0; round < 300; round++) {
            List<Reservation> reservations = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                reservations.add(limiter.reserve(clock.read(), 1 + i, ANY));
            }
            for (int i : new int[] {3, 0, 6, 5, 1, 4, 2}) {
                assertThat(reservations.get(i).cancel()).isTrue();
                assertThat(reservations.get(i).cancel()).isFalse();
            }
            clock.advance(reservations.get(6).delayNanos());

            assertThat(limiter.available(clock.read())).isEqualTo(10);
        }
    }

    /**
     * .NET's chained limiters acquire in order, and when one refuses, the leases of those before it are disposed of. A
     * lease of a limiter with a window returns nothing, so the refused request counts there (dotnet/runtime#113314).
     */
    @Test
    void dotnet_refusedCountsInTheFirstOfTheChain_countsInNone() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, MINUTE), Limit.of(3, SECOND));
        limiter.tryAcquire(clock.read(), 2);

        for (int call = 0; call < 1_000; call++) {
            assertThat(limiter.tryAcquire(clock.read(), 2)).isFalse();
        }

        for (int call = 0; call < 49; call++) {
            clock.advance(SECOND.plusNanos(1));
            assertThat(limiter.tryAcquire(clock.read(), 2)).isTrue();
        }
        clock.advance(SECOND.plusNanos(1));
        assertThat(limiter.tryAcquire(clock.read(), 1)).isFalse(); // the minute has its hundred
    }

    /**
     * A union of node-rate-limiter-flexible increments before it decides: one greedy call drains all limiters (#280).
     */
    @Test
    void nodeRateLimiter_refusedGreedyCallDrains_takesNothing() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, MINUTE), Limit.of(10, SECOND));

        assertThat(limiter.tryAcquire(clock.read(), 95)).isFalse();

        assertThat(limiter.available(clock.read())).isEqualTo(10);
        assertThat(limiter.tryAcquire(clock.read(), 10)).isTrue();
    }

    /** Redisson's {@code release} raises the number of permits but leaves the log, so they return twice (#7329). */
    @Test
    void redisson_releasedPermitsReturnTwice_returnOnce() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(10, SECOND));
        Reservation reservation = limiter.reserve(clock.read(), 6, ANY);
        limiter.tryAcquire(clock.read(), 4);
        reservation.cancel();
        assertThat(limiter.tryAcquire(clock.read(), 6)).isTrue();

        clock.advance(SECOND.plusNanos(1));

        assertThat(limiter.available(clock.read())).isEqualTo(10);
        assertThat(limiter.tryAcquire(clock.read(), 11)).isFalse();
    }

    /** A lease of .NET's limiters with a window releases nothing when it is disposed of (dotnet/runtime#113314). */
    @Test
    void dotnet_leaseOfAWindowReleasesNothing_cancelReleasesUnderAllLimits() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, MINUTE), Limit.ofCalls(1, SECOND));
        Reservation reservation = limiter.reserve(clock.read(), 100, ANY);
        assertThat(limiter.available(clock.read())).isZero();

        assertThat(reservation.cancel()).isTrue();

        assertThat(limiter.tryAcquire(clock.read(), 100)).isTrue();
        assertThat(limiter.tryAcquire(clock.read(), 1)).isFalse();
    }

    /** Redisson drops refunds (#7342). */
    @Test
    void redisson_refundsAreDropped_areCounted() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(1_000, SECOND));

        for (int left = 1_000; left >= 10; left--) {
            Reservation reservation = limiter.reserve(clock.read(), 10, Duration.ZERO);
            assertThat(reservation.isGranted()).isTrue();
            assertThat(reservation.adjustTo(1)).isTrue();
            assertThat(limiter.available(clock.read())).isEqualTo(left - 1);
        }
    }

    /**
     * In litellm 663 tokens were used with a limit of 100, by calls admitted on estimates that were too low (#18730).
     */
    @Test
    void litellm_estimatesAreExceeded_correctionDelaysLaterCalls() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, MINUTE));
        long used = 0;

        for (int call = 0; call < 50; call++) {
            Reservation estimate = limiter.reserve(clock.read(), 10, Duration.ZERO);
            if (estimate.isGranted()) {
                estimate.adjustTo(60);
                used += 60;
            }
            clock.advance(SECOND);
        }

        assertThat(used).isEqualTo(120); // two: then the corrections exceed the limit
    }

    /** In litellm the limits of requests and of tokens shared the key of a window (#24677). */
    @Test
    void litellm_requestsAndTokensShareAWindow_areCountedApart() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.ofCalls(60, MINUTE), Limit.of(100_000, MINUTE));

        for (int call = 0; call < 60; call++) {
            assertThat(limiter.available(clock.read())).isEqualTo(100_000 - 1_500L * call);
            assertThat(limiter.tryAcquire(clock.read(), 1_500)).isTrue();
        }

        assertThat(limiter.tryAcquire(clock.read(), 1)).isFalse(); // of calls none is left, of tokens 10,000
        assertThat(limiter.available(clock.read())).isZero();
    }

    /** In a draft of litellm the tokens of refused requests were never released (PR#27001). */
    @Test
    void litellm_refusedRequestsLeak_retainNothing() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.ofCalls(2, SECOND), Limit.of(100, MINUTE));
        limiter.tryAcquire(clock.read(), 10);
        limiter.tryAcquire(clock.read(), 10);

        for (int call = 0; call < 1_000; call++) {
            Reservation refused = limiter.reserve(clock.read(), 10, Duration.ZERO);
            assertThat(refused.isGranted()).isFalse();
            assertThat(refused.cancel()).isFalse();
        }
        clock.advance(SECOND.plusNanos(1));

        assertThat(limiter.available(clock.read())).isEqualTo(80);
    }

    /** PyrateLimiter with two rates returned the wait of the wrong one (#184). */
    @Test
    void pyrateLimiter_wrongWaitWithTwoRates_isTheLongerOne() {
        SlidingWindowLimiter limiter =
                SlidingWindowLimiter.of(Limit.of(3, SECOND), Limit.of(4, Duration.ofSeconds(30)));
        for (int call = 0; call < 3; call++) {
            limiter.tryAcquire(clock.read(), 1);
        }
        assertThat(limiter.tryAcquireOrDelay(clock.read(), 1)).isEqualTo(SECOND.toNanos() + 1);
        assertThat(limiter.tryAcquireOrDelay(clock.read(), 2))
                .isEqualTo(Duration.ofSeconds(30).toNanos() + 1);

        clock.advance(SECOND.plusNanos(1));
        limiter.tryAcquire(clock.read(), 1);

        assertThat(limiter.tryAcquireOrDelay(clock.read(), 1))
                .isEqualTo(Duration.ofSeconds(29).toNanos());
    }

    /** In llm-proxy a refund went to the current window, which erased the reservations of others (PR#40). */
    @Test
    void llmProxy_refundHitsTheCurrentWindow_countsAtItsOwnPlace() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, MINUTE));
        Reservation early = limiter.reserve(clock.read(), 80, ANY);
        clock.advance(Duration.ofSeconds(50));
        Reservation late = limiter.reserve(clock.read(), 20, ANY);

        assertThat(early.adjustTo(30)).isTrue();
        assertThat(limiter.available(clock.read())).isEqualTo(50);
        clock.advance(Duration.ofSeconds(10).plusNanos(1));
        assertThat(limiter.available(clock.read())).isEqualTo(80); // not 130: the refunded permits have expired
        limiter.tryAcquire(clock.read(), 1);
        assertThat(early.adjustTo(0)).isFalse();
        assertThat(limiter.available(clock.read())).isEqualTo(79);
        assertThat(late.adjustTo(10)).isTrue(); // the reservation of another client still counts
        assertThat(limiter.available(clock.read())).isEqualTo(89);
    }

    /** The log of limits (Python) admitted a cost over the limit (#151). */
    @Test
    void limits_admitsACostOverTheLimit_refuses() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(10, SECOND));
        limiter.tryAcquire(clock.read(), 9);

        assertThat(limiter.tryAcquire(clock.read(), 2)).isFalse();
        assertThat(limiter.tryAcquire(clock.read(), 20)).isFalse();
        assertThat(limiter.tryAcquire(clock.read(), 1)).isTrue();
    }

    /**
     * A call of limits (Python) took as many steps as the limit is high, which stalled the server (#268). Here a delay
     * is found by bisection: it is the same when the sums of most entries are overwritten that have to expire first.
     */
    @Test
    void limits_stepsByTheLimit_bisects() {
        int entries = 100_000;
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(2 * entries, MINUTE));
        for (int call = 0; call < entries; call++) {
            assertThat(limiter.tryAcquire(clock.read(), 2)).isTrue();
            clock.advance(1);
        }
        long delay = MINUTE.toNanos() - entries + entries / 2;
        assertThat(limiter.tryAcquireOrDelay(clock.read(), entries)).isEqualTo(delay);

        Object log = requireNonNull(Fields.get(requireNonNull(Fields.get(limiter, "log")), "log"));
        long[][] chunks = (long[][]) requireNonNull(Fields.get(requireNonNull(Fields.get(log, "blocks")), "chunks"));
        for (int block = 33; block < 48; block++) {
            Arrays.fill(chunks[block], 1_024, 2 * 1_024, 0); // the column of permits
        }

        assertThat(limiter.tryAcquireOrDelay(clock.read(), entries)).isEqualTo(delay);
    }

    /** Two counters and interpolation, as in upstash and parapet, admit up to 1.998 times the limit in one window. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 500_000_000, 999_999_999})
    void upstash_almostTwiceTheLimitInAWindow_neverMore(long offset) {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, SECOND));
        clock.advance(offset + Duration.ofHours(1).toNanos());
        ArrayDeque<Long> granted = new ArrayDeque<>();

        int total = 0;
        for (int call = 0; call < 10_000; call++) {
            int burst = call % 1_000 == 999 ? 100 : 1; // all at the end of each second, and then one by one
            for (int i = 0; i < burst; i++) {
                if (limiter.tryAcquire(clock.read(), 1)) {
                    granted.add(clock.read());
                    total++;
                }
                if (granted.size() == 101) {
                    assertThat(granted.getLast() - granted.remove()).isGreaterThan(SECOND.toNanos());
                }
            }
            clock.advance(Duration.ofMillis(1));
        }

        assertThat(total).isBetween(900, 1_000);
    }

    /**
     * In Envoy, Guava and Bucket4j the permits saved up during a pause are granted at once, and those of the next
     * interval after them: up to twice the limit in one window (bucket4j#128).
     */
    @Test
    void bucket4j_savedUpDuringAPause_neverMoreThanTheLimitInAWindow() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, SECOND));
        clock.advance(Duration.ofDays(1));
        long burst = clock.read();
        assertThat(limiter.tryAcquire(burst, 100)).isTrue();

        for (int millis = 0; millis <= 1_000; millis++) {
            assertThat(limiter.tryAcquire(clock.read(), 1)).isFalse();
            clock.advance(Duration.ofMillis(1));
        }

        assertThat(limiter.tryAcquireOrDelay(burst + SECOND.toNanos(), 1)).isEqualTo(1);
        assertThat(limiter.tryAcquire(burst + SECOND.toNanos() + 1, 100)).isTrue();
    }

    /**
     * Bucket4j's compare-and-set on Redis took 45 rounds under contention (#407, #580, #603). Here 200 threads that
     * contend request exactly the limit: no request is refused because another one is in progress, and none is lost.
     */
    @Test
    @Timeout(60)
    void bucket4j_roundsUnderContention_grantsTheLimitToTwoHundredThreads() {
        int threads = 200;
        int calls = 2_000;
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(threads * calls, Duration.ofHours(1)));
        AtomicLong refused = new AtomicLong();

        new AtOnce()
                .on(threads, () -> {
                    for (int call = 0; call < calls; call++) {
                        if (!limiter.tryAcquire(System.nanoTime(), 1)) {
                            refused.incrementAndGet();
                        }
                    }
                })
                .run();

        assertThat(refused.get()).isZero();
        assertThat(limiter.tryAcquire(System.nanoTime(), 1)).isFalse();
    }
}
