package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Futures that are forgotten by no moment at which others leave, and by no failure of a task or of its scheduler. */
@Timeout(600)
class FutureWaiterTest {
    private final BlockingSimulation simulation = BlockingSimulation.still(0);
    private final SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(1, 10), 0);

    /** Runs once, when the clock is read. */
    private final AtomicReference<Runnable> whenRead = new AtomicReference<>(() -> {});

    private final BlockingLimiter turns = new BlockingLimiter(
            limiter,
            () -> {
                whenRead.getAndSet(() -> {}).run();
                return simulation.nanos();
            },
            WaitingLine.UNBOUNDED,
            simulation);

    @AfterEach
    void endAll() {
        simulation.close();
    }

    /** It has asked then, and is about to set a timer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cancel_whileTheFirstIsAsking_theNextKeepsItsTimer(boolean isOpaque) {
        ScheduledExecutorService scheduler = isOpaque ? simulation.opaqueScheduler : simulation.scheduler;
        CompletableFuture<Reservation> first = turns.acquireAsync(1, scheduler);
        CompletableFuture<Reservation> second = turns.acquireAsync(1, scheduler);
        List<CompletableFuture<Reservation>> third = new ArrayList<>();

        first.cancel(false);
        whenRead.set(() -> {
            second.cancel(false);
            third.add(turns.acquireAsync(1, scheduler));
        });
        simulation.settle();
        simulation.advance(11);

        assertThat(third).singleElement().matches(CompletableFuture::isDone);
    }

    /** A task that has ended by an error before it could ask, here at its first call, is not waited for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recheck_afterATaskThatFailed_asks(boolean isNext) {
        CompletableFuture<Reservation> first = turns.acquireAsync(1, simulation.scheduler);
        simulation.scheduler.isFailing = true;
        turns.recheck();
        simulation.scheduler.isFailing = false;
        limiter.clear();

        if (isNext) {
            CompletableFuture<Reservation> next = turns.acquireAsync(1, simulation.scheduler);
            assertThat(next).isNotDone();
        } else {
            turns.recheck();
        }
        simulation.settle();

        assertThat(first).isDone();
    }

    /** It is completed, and those behind it too, although its timer cannot be cancelled. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acquireAsync_schedulerRejectsAndCannotCancel_fails(boolean isError) {
        simulation.scheduler.whenCancelled = () -> {
            if (isError) {
                throw new AssertionError();
            }
            throw new IllegalStateException();
        };
        CompletableFuture<Reservation> first = turns.acquireAsync(1, simulation.scheduler);
        CompletableFuture<Reservation> second = turns.acquireAsync(1, simulation.scheduler);
        simulation.scheduler.isRejecting = true;

        Throwable thrown = catchThrowable(turns::recheck);

        assertThat(thrown != null).isEqualTo(isError);
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThat(turns.waiting()).isZero();
    }

    /** It is done, with its timer, although the next one could not be told that it is the first. */
    @Test
    void cancel_errorWhenTheNextIsWoken_isDone() {
        CompletableFuture<Reservation> first = turns.acquireAsync(1, simulation.scheduler);
        CompletableFuture<Reservation> second = turns.acquireAsync(1, simulation.scheduler);
        simulation.scheduler.whenScheduled = () -> {
            throw new OutOfMemoryError();
        };

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> first.cancel(false));

        assertThat(first).isCompletedExceptionally();
        assertThat(simulation.scheduler.size()).isZero();
        limiter.clear();
        turns.recheck();
        simulation.settle();
        assertThat(second).isCompleted();
    }

    /** One line for each place at which the stack of the thread that wakes ends: the scheduler keeps the error. */
    @Test
    void recheck_stackOverflowsInADirectScheduler_nobodyIsForgotten() throws InterruptedException {
        simulation.scheduler.isDirect = true;
        Diver diver = new Diver();
        for (int i = 0; i < 500; i++) {
            diver.lines.add(waiting());
        }
        recheckTwice(waiting()); // so that every class is there
        Thread thread = new Thread(null, diver, "diver", 256 << 10);
        thread.setDaemon(true);
        thread.start();
        thread.join();
        assertThat(diver.overflows).isPositive();

        diver.lines.forEach(this::recheckTwice);

        assertThat(diver.lines.stream().filter(line -> !line.future.isDone())).isEmpty();
        assertThat(diver.lines).allMatch(line -> line.turns.waiting() == 0);
    }

    private record Line(SlidingWindowLimiter limiter, BlockingLimiter turns, CompletableFuture<Reservation> future) {}

    private Line waiting() {
        SlidingWindowLimiter exhausted = Limiters.acquiring(Limiters.of(1, 10), 0);
        BlockingLimiter line = new BlockingLimiter(exhausted, () -> 0, WaitingLine.UNBOUNDED, simulation);
        return new Line(exhausted, line, line.acquireAsync(1, simulation.scheduler));
    }

    private void recheckTwice(Line line) {
        line.limiter.clear();
        line.turns.recheck();
        line.turns.recheck();
    }

    /** Goes down to the end of its stack again and again, and calls on the way back until there is room. */
    private static final class Diver implements Runnable {
        private static final int FRAMES = 100;

        final List<Line> lines = new ArrayList<>();
        private int used;
        private int height;
        int overflows;

        @Override
        public void run() {
            while (used < lines.size()) {
                dive();
            }
        }

        private void dive() {
            try {
                dive();
            } catch (StackOverflowError bottom) {
                height = 0;
            }
            if (height++ < FRAMES && used < lines.size()) {
                try {
                    lines.get(used++).turns.recheck();
                } catch (StackOverflowError e) {
                    overflows++;
                }
            }
        }
    }
}
