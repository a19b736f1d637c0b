package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import com.google.common.testing.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClientLimiterTest {
    private static final Duration INTERVAL = Duration.ofNanos(1000);

    private final FakeTicker ticker = new FakeTicker();
    private final ClientLimiter limiter = new ClientLimiter(2, INTERVAL, ticker);

    @Test
    void admit_overTheLimit_exactWait() {
        assertThat(limiter.admit("a")).isZero();
        ticker.advance(400);
        assertThat(limiter.admit("a")).isZero();
        ticker.advance(100);

        assertThat(limiter.admit("a")).isEqualTo(501);
        ticker.advance(500);
        assertThat(limiter.admit("a")).isEqualTo(1);
        ticker.advance(1);
        assertThat(limiter.admit("a")).isZero();
        assertThat(limiter.admit("a")).isEqualTo(400);
    }

    /** Each reading advances the clock: the wait is measured from the only reading of the refused attempt. */
    @Test
    void admit_clockGoesOn_waitIsThatOfOneReading() {
        ticker.setAutoIncrementStep(10, TimeUnit.NANOSECONDS);
        long oldest = ticker.read() + 10;
        useUp("a");
        long refused = ticker.read() + 10;

        assertThat(limiter.admit("a")).isEqualTo(oldest + 1001 - refused);
    }

    @Test
    void admit_otherClient_hasItsOwnLimit() {
        useUp("a");

        assertThat(limiter.admit("b")).isZero();
        assertThat(limiter.admit("b")).isZero();
        assertThat(limiter.admit("b")).isEqualTo(1001);
    }

    /** The window is closed: were a limiter discarded at the interval already, its limit would start over here. */
    @Test
    void admit_noRequestForTheInterval_limitHolds() {
        useUp("a");

        ticker.advance(INTERVAL);
        limiter.discardIdle();

        assertThat(limiter.admit("a")).isEqualTo(1);
    }

    @Test
    void admit_manyOtherClients_limitHolds() {
        useUp("a");

        for (int i = 0; i < 100_000; i++) {
            limiter.admit("other " + i);
        }

        assertThat(limiter.admit("a")).isEqualTo(1001);
    }

    @Test
    void discardIdle_someIdle_onlyThoseAreDiscarded() {
        useUp("a");
        ticker.advance(1);
        useUp("b");

        ticker.advance(INTERVAL);
        limiter.discardIdle();
        assertThat(limiter.clients()).isEqualTo(1);
        assertThat(limiter.admit("b")).isEqualTo(1);

        ticker.advance(1);
        limiter.discardIdle();
        assertThat(limiter.clients()).isZero();
    }

    @Test
    void admit_everOtherClients_idleOnesAreDiscarded() {
        for (int i = 0; i < 100_000; i++) {
            ticker.advance(1);
            limiter.admit("client " + i); // up to 1001 are not idle

            assertThat(limiter.clients()).isLessThanOrEqualTo(2 * 1001 + 1);
        }
    }

    /** Were a limiter discarded without excluding requests, one could be admitted by it that its successor ignores. */
    @Test
    void admit_whileIdleOnesAreDiscarded_limitHolds() throws Exception {
        SteppingTicker clock = new SteppingTicker();
        ClientLimiter shared = new ClientLimiter(2, Duration.ofNanos(6), clock);
        Callable<List<Long>> requests = () -> {
            List<Long> admitted = new ArrayList<>();
            for (int i = 0; i < 100_000; i++) {
                if (shared.admit("a") == 0) {
                    admitted.add(clock.lastRead.get());
                }
            }
            return admitted;
        };
        Callable<List<Long>> discarding = () -> {
            for (int i = 0; i < 100_000; i++) {
                shared.discardIdle();
            }
            return List.of();
        };
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Long> admitted = new ArrayList<>();
        for (Future<List<Long>> each : threads.invokeAll(List.of(requests, requests, discarding, discarding))) {
            admitted.addAll(each.get());
        }
        threads.shutdown();

        Collections.sort(admitted);
        assertThat(admitted).hasSizeGreaterThan(1000);
        for (int i = 2; i < admitted.size(); i++) {
            assertThat(admitted.get(i) - admitted.get(i - 2)).isGreaterThan(6);
        }
    }

    private void useUp(String client) {
        assertThat(limiter.admit(client)).isZero();
        assertThat(limiter.admit(client)).isZero();
    }

    /** A clock that each reading advances by a nanosecond. */
    private static final class SteppingTicker extends Ticker {
        private final AtomicLong nanos = new AtomicLong();
        private final ThreadLocal<Long> lastRead = new ThreadLocal<>();

        @Override
        public long read() {
            lastRead.set(nanos.incrementAndGet());
            return lastRead.get();
        }
    }
}
