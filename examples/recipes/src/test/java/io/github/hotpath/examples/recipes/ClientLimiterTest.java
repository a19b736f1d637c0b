package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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

    /**
     * The clock goes on at each reading, also the cache's: what counts is the first, of the attempt that was refused.
     */
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

    /** The window is closed: with idle clients forgotten at the interval already, the limit would start over here. */
    @Test
    void admit_idleForTheInterval_limitHolds() {
        useUp("a");

        ticker.advance(INTERVAL);

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
    void clients_idle_areLetGo() {
        useUp("a");
        ticker.advance(INTERVAL);
        useUp("b");

        assertThat(limiter.clients()).isEqualTo(2);
        ticker.advance(INTERVAL);
        assertThat(limiter.clients()).isEqualTo(1);
        ticker.advance(INTERVAL);
        assertThat(limiter.clients()).isZero();
    }

    private void useUp(String client) {
        assertThat(limiter.admit(client)).isZero();
        assertThat(limiter.admit(client)).isZero();
    }
}
