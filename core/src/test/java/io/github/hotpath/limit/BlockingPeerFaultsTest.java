package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.BlockingSimulation.Simulated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other limiters get wrong where requests wait: above each test, what the other library does. */
class BlockingPeerFaultsTest {
    private static final Duration MINUTE = Duration.ofNanos(60);

    private final BlockingSimulation simulation = BlockingSimulation.still(0);
    private final SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(10, MINUTE));
    private final BlockingLimiter turns =
            new BlockingLimiter(limiter, simulation::nanos, WaitingLine.UNBOUNDED, simulation);

    @AfterEach
    void endAll() {
        simulation.close();
    }

    private Simulated<Reservation> waiting(int permits) {
        return simulation.start(() -> turns.acquire(permits));
    }

    private CompletableFuture<Reservation> future(int permits) {
        return turns.acquireAsync(permits, simulation.scheduler);
    }

    /** In Bucket4j, the tokens of a waiter that is interrupted are gone: its Javadoc says so. */
    @Test
    void bucket4j_interruptedWaiterLosesTokens_losesNone() throws InterruptedException {
        turns.acquire(10);
        Simulated<Reservation> first = waiting(10);
        Simulated<Reservation> second = waiting(10);

        first.interrupt();
        simulation.settle();
        second.interrupt();
        simulation.advance(61);

        assertThat(first.thrown).isInstanceOf(InterruptedException.class);
        assertThat(second.thrown).isInstanceOf(InterruptedException.class);
        assertThat(limiter.available(simulation.now())).isEqualTo(10);
        assertThat(turns.waiting()).isZero();
    }

    /** Bucket4j's futures ignore {@code cancel}: the tokens are consumed, and the task stays scheduled. */
    @Test
    void bucket4j_cancelIsIgnored_leavesTheLineAndTheScheduler() throws InterruptedException {
        turns.acquire(10);
        CompletableFuture<Reservation> future = future(10);

        future.cancel(false);

        assertThat(simulation.scheduler.size()).isZero();
        assertThat(turns.waiting()).isZero();
        simulation.advance(61);
        assertThat(limiter.available(simulation.now())).isEqualTo(10);
    }

    /** In cross-media-measurement, a waiter that is cancelled at the moment of its grant consumes it (PR#4444). */
    @Test
    void crossMediaMeasurement_cancelRacesWithTheGrant_permitsComeBackToTheNext() throws InterruptedException {
        turns.acquire(10);
        List<CompletableFuture<Reservation>> futures = new ArrayList<>();
        BlockingLimiter racing = new BlockingLimiter(
                limiter,
                () -> {
                    futures.forEach(future -> future.obtrudeException(new TimeoutException())); // when it is asked for
                    futures.clear();
                    return simulation.nanos();
                },
                WaitingLine.UNBOUNDED,
                simulation);
        CompletableFuture<Reservation> first = racing.acquireAsync(10, simulation.scheduler);
        CompletableFuture<Reservation> second = racing.acquireAsync(10, simulation.scheduler);

        futures.add(first);
        simulation.advance(61);

        assertThat(first).isCompletedExceptionally();
        assertThat(second.join().isGranted()).isTrue();
        assertThat(limiter.available(simulation.now())).isZero();
    }

    /** In .NET, cancelled requests block those behind them (dotnet/runtime#77180). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void dotnet_cancelledRequestsBlockTheQueue_theNextGoesOn(boolean isFuture) throws InterruptedException {
        turns.acquire(5);
        Simulated<Reservation> heavy = isFuture ? null : waiting(10);
        CompletableFuture<Reservation> heavyFuture = isFuture ? future(10) : null;
        CompletableFuture<Reservation> light = future(5);
        simulation.settle();
        assertThat(light).isNotDone();

        if (heavy != null) {
            heavy.interrupt();
        } else if (heavyFuture != null) {
            heavyFuture.cancel(false);
        }
        simulation.settle();

        assertThat(light).isCompletedWithValueMatching(Reservation::isGranted);
    }

    /** In .NET, RetryAfter is null, or the whole window (dotnet/runtime#92557, aspnetcore#52411). */
    @Test
    void dotnet_retryAfterIsTheWholeWindow_isExact() throws InterruptedException {
        turns.acquire(10);
        simulation.advance(20);

        Reservation refused = turns.tryAcquire(1, Duration.ZERO);

        assertThat(refused.delayNanos()).isEqualTo(41);
        simulation.advance(40);
        assertThat(turns.tryAcquire(1, Duration.ZERO).delayNanos()).isEqualTo(1);
        simulation.advance(1);
        assertThat(turns.tryAcquire(1, Duration.ZERO).isGranted()).isTrue();
    }

    /** In Cadence, on Go's limiter, cancels that come late starve all others: 0.001 % were admitted (PR#6030). */
    @Test
    void cadence_lateCancelsStarveAll_onlyThoseServedCount() throws InterruptedException {
        turns.acquire(10);
        List<CompletableFuture<Reservation>> impatient = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            impatient.add(future(10));
        }
        CompletableFuture<Reservation> patient = future(10);

        simulation.advance(60); // just before the first turn
        impatient.forEach(future -> future.cancel(false));
        simulation.advance(1);

        assertThat(patient).isCompletedWithValueMatching(Reservation::isGranted);
    }

    /** In concurrency-limits, a permit is lost at each time-out, until the limiter is dead (PR#179). */
    @Test
    void concurrencyLimits_timeoutLosesAPermit_losesNone() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            turns.acquire(10);
            Simulated<Reservation> first = simulation.start(() -> turns.tryAcquire(10, nanos(61)));
            Simulated<Reservation> second = simulation.start(() -> turns.tryAcquire(10, nanos(62)));
            simulation.advance(61);
            assertThat(first.result().isGranted()).isTrue();
            assertThat(second.result().isGranted()).isFalse();

            simulation.advance(61);
            assertThat(limiter.available(simulation.now())).isEqualTo(10);
        }
    }

    /** A limit that is raised in Envoy's or gubernator's takes effect in the next window only (#744, #37). */
    @Test
    void envoy_raisedLimitWaitsForTheNextWindow_isNoticedAtOnce() throws InterruptedException {
        turns.acquire(10);
        Simulated<Reservation> waiting = waiting(10);

        limiter.setLimits(Limit.of(20, MINUTE));
        turns.recheck();
        simulation.settle();

        assertThat(waiting.result().isGranted()).isTrue();
        assertThat(simulation.now()).isZero();
    }

    /** In Resilience4j, newer calls get ahead of those that wait (#336). */
    @Test
    void resilience4j_newerCallsGetAhead_waitInLine() throws InterruptedException {
        turns.acquire(8);
        Simulated<Reservation> older = waiting(10);

        assertThat(turns.tryAcquire(1, Duration.ZERO).isGranted()).isFalse(); // two are left
        Simulated<Reservation> newer = waiting(1);
        CompletableFuture<Reservation> newest = future(1);
        simulation.advance(61);

        assertThat(older.result().isGranted()).isTrue();
        assertThat(newer.isDone).isFalse();
        assertThat(newest).isNotDone();
    }

    /** A time-out of Resilience4j does not interrupt who waits for a permit (#2336). */
    @Test
    void resilience4j_timeoutIsExceeded_endsInTime() throws InterruptedException {
        turns.acquire(10);
        waiting(10);
        Simulated<Reservation> impatient = simulation.start(() -> turns.tryAcquire(1, nanos(61)));

        simulation.advance(61);

        assertThat(impatient.result().isGranted()).isFalse();
    }

    /** Guava's {@code acquire} cannot be interrupted (#1754). */
    @Test
    void guava_waitsUninterruptibly_isInterruptible() throws InterruptedException {
        turns.acquire(10);
        Simulated<Reservation> first = waiting(1);
        Simulated<Reservation> second = waiting(1);

        second.interrupt();
        simulation.settle();
        assertThat(second.thrown).isInstanceOf(InterruptedException.class);
        first.interrupt();
        simulation.settle();

        assertThat(first.thrown).isInstanceOf(InterruptedException.class);
        assertThat(simulation.now()).isZero();
    }

    /** In Guava, the request after a heavy one waits for it, and the heavy one itself does not (#3044). */
    @Test
    void guava_theNextPaysForAHeavyRequest_itWaitsItself() throws InterruptedException {
        turns.acquire(1);
        Simulated<Reservation> heavy = waiting(10);
        assertThat(heavy.isDone).isFalse();
        simulation.advance(61);

        assertThat(heavy.result().isGranted()).isTrue();
    }

    /** LangChain's limiter asks every so many seconds. */
    @Test
    void langChain_polls_asksOnce() throws InterruptedException {
        turns.acquire(10);
        for (int i = 0; i < 10; i++) {
            waiting(1);
        }

        simulation.advance(61);

        assertThat(simulation.parks)
                .filteredOn(nanos -> nanos != Parking.ENDLESS)
                .containsExactly(61L);
        assertThat(turns.waiting()).isZero();
    }
}
