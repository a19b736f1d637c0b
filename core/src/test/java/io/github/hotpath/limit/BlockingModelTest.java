package io.github.hotpath.limit;

import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.BlockingSimulation.Simulated;
import io.github.hotpath.window.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
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
@Timeout(120)
class BlockingModelTest {
    private static final int REQUESTS = 250;

    /** What became of one request. */
    private abstract static class Request {
        final int permits;
        boolean isStopped;

        Request(int permits) {
            this.permits = permits;
        }

        abstract boolean isDone();

        /** Returns its reservation; {@code null} if there is none. */
        abstract @Nullable Reservation reservation();

        abstract void stop();
    }

    private static final class ThreadRequest extends Request {
        private final Simulated<Reservation> call;

        ThreadRequest(int permits, Simulated<Reservation> call) {
            super(permits);
            this.call = call;
        }

        @Override
        boolean isDone() {
            return call.isDone;
        }

        @Override
        @Nullable
        Reservation reservation() {
            if (call.thrown != null) {
                assertThat(isStopped).isTrue();
                assertThat(call.thrown).isInstanceOf(InterruptedException.class);
                return null;
            }
            return call.result().isGranted() ? call.result() : null;
        }

        @Override
        void stop() {
            call.interrupt();
        }
    }

    private static final class FutureRequest extends Request {
        private final CompletableFuture<Reservation> future;

        FutureRequest(int permits, CompletableFuture<Reservation> future) {
            super(permits);
            this.future = future;
        }

        @Override
        boolean isDone() {
            return future.isDone();
        }

        @Override
        @Nullable
        Reservation reservation() {
            return future.isCompletedExceptionally() ? null : future.join();
        }

        boolean isRejected() {
            return future.isCompletedExceptionally() && !future.isCancelled();
        }

        @Override
        void stop() {
            future.cancel(false);
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
            assertThat(requests).allMatch(Request::isDone);
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
            return new FutureRequest(permits, turns.acquireAsync(permits, scheduler));
        }
        Duration timeout = nanos(random.nextInt(3) == 0 ? random.nextLong(20_000) : Long.MAX_VALUE);
        return new ThreadRequest(permits, simulation.start(() -> turns.tryAcquire(permits, timeout)));
    }

    /** Interrupts or cancels some requests, and releases permits of others; or, most often, none. */
    private void disturb(SplittableRandom random, int seldom) {
        for (int i = random.nextInt(seldom) == 0 ? random.nextInt(4) : 0; i > 0; i--) {
            Request any = requests.get(random.nextInt(requests.size()));
            if (!any.isDone() && random.nextInt(3) == 0) {
                any.isStopped = true;
                any.stop();
            } else if (any.isDone() && any.reservation() != null) {
                Reservation granted = requireNonNull(any.reservation());
                granted.adjustTo(random.nextInt(counting(granted) + 1)); // more might exceed a limit
            }
        }
    }

    private static void checkBound(Request request, int waiting, int maxWaiting) {
        if (waiting >= maxWaiting) {
            assertThat(request.isDone()).as("waits in a full line").isTrue();
            assertThat(waiting == 0 || request.reservation() == null)
                    .as("not overtaking")
                    .isTrue();
        } else if (request instanceof FutureRequest future) {
            assertThat(future.isRejected()).isFalse();
        }
    }

    /** Checks that those futures that are done are the first ones, apart from those that were stopped or rejected. */
    private void checkOrderOfFutures() {
        boolean isEarlierWaiting = false;
        for (Request request : requests) {
            if (request instanceof FutureRequest) {
                isEarlierWaiting |= !request.isDone();
                assertThat(isEarlierWaiting && request.isDone() && request.reservation() != null)
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

    /** Checks that grants were made in the order of arrival, and that they are what the limiter counts. */
    private void checkGrants(List<Limit> limits, SlidingWindowLimiter limiter, long now) {
        List<Reservation> granted = requests.stream()
                .flatMap(request -> Stream.ofNullable(request.reservation()))
                .toList();
        assertThat(granted).hasSizeGreaterThan(REQUESTS / 8);
        long first = granted.get(0).grants()[0].slot;
        assertThat(granted)
                .isSortedAccordingTo(comparingLong(reservation -> reservation.grants()[0].slot - first));
        LimiterCalls model = LimiterCalls.on(new NaiveLimiter(limits));
        for (Reservation reservation : granted) {
            if (counting(reservation) > 0) {
                assertThat(model.tryAcquire(reservation.grants()[0].slot, counting(reservation)))
                        .isTrue();
            }
        }
        for (long ahead = 0; ahead < 20_000; ahead += 500) {
            assertThat(limiter.available(now + ahead)).isEqualTo(model.available(now + ahead));
        }
    }

    private static int counting(Reservation reservation) {
        return reservation.grants()[0].permits;
    }

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }
}
