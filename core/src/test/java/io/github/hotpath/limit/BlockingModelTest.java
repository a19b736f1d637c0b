package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.BlockingSimulation.Simulated;
import io.github.hotpath.testing.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Hundreds of threads and futures that wait in line, and are interrupted, cancelled and timed out at random moments, by
 * a {@link BlockingSimulation}. The model is the order of arrival, and the limiter itself: as long as nothing runs, the
 * first of those that are left is one that the limiter refuses; no future is granted before an earlier one is done; the
 * line is full exactly if as many wait as it allows; and what is granted, less what was released, is what {@link
 * NaiveLimiter} counts.
 */
@Timeout(600)
class BlockingModelTest {
    private static final int REQUESTS = 250;

    /** A request for so many permits, by a thread or as a future. */
    private static final class Request {
        final int permits;
        final CompletableFuture<Reservation> future;

        /** By the test, or by a full line. */
        boolean isStopped;

        Request(int permits, CompletableFuture<Reservation> future) {
            this.permits = permits;
            this.future = future;
        }

        boolean isDone() {
            return future.isDone();
        }

        /** Returns its reservation; {@code null} if it has none, or not yet. */
        @Nullable
        Reservation granted() {
            if (!isDone() || future.isCompletedExceptionally() || !future.join().isGranted()) {
                return null;
            }
            return future.join();
        }

        /** Returns whether it has not failed, or as one does that is stopped. */
        boolean isSound() {
            return future.handle((reservation, e) -> e == null
                            || isStopped
                                    && (e instanceof InterruptedException
                                            || e instanceof CancellationException
                                            || e instanceof RejectedExecutionException))
                    .getNow(true);
        }
    }

    private final List<Request> requests = new ArrayList<>();

    /** Most schedulers here let a timer be taken out; the others do not. */
    @ParameterizedTest(name = "seed {0}, waiting on {1}, at most {2}")
    @CsvSource({
        "1, 0, 1000",
        "2, 0, 3",
        "3, 1, 1000",
        "4, 1, 8",
        "5, 2, 1000",
        "6, 2, 1000",
        "7, 2, 20",
        "8, 2, 1",
        "9, 1, 1000",
        "10, 2, 0"
    })
    void requests_stoppedAtAnyMoment_areServedInOrderAndLoseNothing(int seed, int kind, int maxWaiting) {
        SplittableRandom random = Seed.random("waiting " + seed + " " + kind);
        List<Limit> limits = List.of(Limit.of(10, nanos(10_000)), Limit.ofCalls(6, nanos(7_000)));
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limits);
        try (BlockingSimulation simulation = new BlockingSimulation(random.nextLong(), 1, random.split())) {
            BlockingLimiter turns = new BlockingLimiter(limiter, simulation::nanos, maxWaiting, simulation);
            simulation.disturbBy(() -> {
                checkOrderOfFutures();
                disturb(random, 16);
            });
            for (int i = 0; i < REQUESTS; i++) {
                int waiting = turns.waiting();
                Request request = start(turns, simulation, kind == 2 ? random.nextInt(2) : kind, random);
                requests.add(request);
                checkBound(request, waiting, maxWaiting);
                disturb(random, 1);
                if (random.nextInt(3) == 0) {
                    simulation.advance(random.nextLong(4_000));
                    checkFirst(turns, limiter, simulation);
                }
            }
            while (turns.waiting() > 0) {
                disturb(random, 1);
                assertThat(simulation.advanceToNext()).isTrue();
                checkFirst(turns, limiter, simulation);
            }
            assertThat(requests.stream().allMatch(Request::isDone)).isTrue();
            simulation.advance(FutureWaiter.LONGEST_PAUSE_LEFT); // the timers that could not be taken out
            assertThat(simulation.scheduler.size()).isZero();
            checkGrants(limits, limiter, simulation.now());
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.hint(), e);
        }
    }

    private static Request start(
            BlockingLimiter turns, BlockingSimulation simulation, int kind, SplittableRandom random) {
        int permits = 1 + random.nextInt(random.nextInt(1, 10));
        if (kind == 1) {
            ScheduledExecutorService scheduler =
                    random.nextInt(3) == 0 ? simulation.opaqueScheduler : simulation.scheduler;
            return new Request(permits, turns.acquireAsync(permits, scheduler));
        }
        Duration timeout = nanos(random.nextInt(3) == 0 ? random.nextLong(20_000) : Long.MAX_VALUE);
        return new Request(permits, simulation.start(() -> turns.tryAcquire(permits, timeout)));
    }

    /** Interrupts or cancels some requests, and releases permits of others; or, most often, none. */
    private void disturb(SplittableRandom random, int seldom) {
        for (int i = random.nextInt(seldom) == 0 ? random.nextInt(4) : 0; i > 0; i--) {
            Request any = requests.get(random.nextInt(requests.size()));
            Reservation granted = any.granted();
            if (!any.isDone() && random.nextInt(3) == 0) {
                any.isStopped = true;
                any.future.cancel(false);
            } else if (granted != null) {
                granted.adjustTo(random.nextInt(counting(granted) + 1)); // more might exceed a limit
            }
        }
    }

    private static void checkBound(Request request, int waiting, int maxWaiting) {
        if (waiting >= maxWaiting) {
            assertThat(request.isDone()).as("waits in a full line").isTrue();
            assertThat(waiting == 0 || request.granted() == null)
                    .as("not overtaking")
                    .isTrue();
            request.isStopped = true;
        }
        assertThat(request.isSound()).isTrue();
    }

    /** Checks that those futures that are done are the first ones, apart from those that were stopped or rejected. */
    private void checkOrderOfFutures() {
        boolean isEarlierWaiting = false;
        for (Request request : requests) {
            if (!(request.future instanceof Simulated)) {
                isEarlierWaiting |= !request.isDone();
                assertThat(isEarlierWaiting && request.granted() != null)
                        .as("granted before an earlier one")
                        .isFalse();
            }
        }
    }

    /** Checks that the first in line has to wait, and that nobody who came later has been served. */
    private void checkFirst(BlockingLimiter turns, SlidingWindowLimiter limiter, BlockingSimulation simulation) {
        List<Request> waiting =
                requests.stream().filter(request -> !request.isDone()).toList();
        assertThat(turns.waiting()).isEqualTo(waiting.size());
        if (!waiting.isEmpty()) {
            Decision decision = limiter.peek(simulation.now(), waiting.get(0).permits);
            assertThat(decision.isGranted()).as("the first is forgotten").isFalse();
        }
    }

    /**
     * Checks that only those have failed that were stopped or came to a full line, that grants were made in the order
     * of arrival, and that they are what the limiter counts.
     */
    private void checkGrants(List<Limit> limits, SlidingWindowLimiter limiter, long now) {
        requests.forEach(request ->
                assertThat(request.isSound()).as(request.future.toString()).isTrue());
        List<Reservation> granted = requests.stream()
                .flatMap(request -> Stream.ofNullable(request.granted()))
                .toList();
        assertThat(granted.size()).isGreaterThan(REQUESTS / 8);
        long last = grant(granted.get(0)).slot;
        NaiveJoint model = new NaiveJoint(List.of(new NaiveLimiter(limits)));
        for (Reservation reservation : granted) {
            assertThat(grant(reservation).slot - last).isNotNegative();
            last = grant(reservation).slot;
            if (counting(reservation) > 0) {
                assertThat(model.tryAcquire(grant(reservation).slot, counting(reservation)))
                        .isTrue();
            }
        }
        for (long ahead = 0; ahead < 20_000; ahead += 500) {
            assertThat(limiter.available(now + ahead)).isEqualTo(model.available(now + ahead));
        }
    }

    private static int counting(Reservation reservation) {
        return grant(reservation).permits;
    }

    private static Reservation.Grant grant(Reservation reservation) {
        return requireNonNull(reservation.grants)[0];
    }
}
