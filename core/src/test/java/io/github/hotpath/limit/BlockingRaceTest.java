package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.AtOnce;
import io.github.hotpath.testing.Seed;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads of the JVM that wait, with the clock standing still: permits come back by reservations alone. Interrupts and
 * cancellations come at the moment of the grant.
 */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BlockingRaceTest {
    private final SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(1, Duration.ZERO));
    private final BlockingLimiter turns = BlockingLimiter.of(limiter, () -> 0);
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);

    @AfterEach
    void shutDown() {
        scheduler.shutdownNow();
    }

    /** One thread releases the only permit while another one cancels the future that waits for it. */
    @Test
    void acquireAsync_cancelledAtTheGrant_losesNoPermit() {
        int rounds = 20_000;
        AtomicReference<Reservation> permit = new AtomicReference<>();
        AtomicReference<CompletableFuture<Reservation>> future = new AtomicReference<>();
        AtomicInteger cancelled = new AtomicInteger();
        Phaser together = new Phaser(2);

        new AtOnce()
                .on(1, () -> {
                    for (int round = 0; round < rounds; round++) {
                        CompletableFuture<Reservation> own = turns.acquireAsync(1, scheduler);
                        permit.set(own.join()); // what the last round has left, perhaps by way of the scheduler
                        future.set(turns.acquireAsync(1, scheduler));
                        together.arriveAndAwaitAdvance();
                        spin(round % 64);
                        permit.get().cancel();
                        together.arriveAndAwaitAdvance();
                    }
                })
                .on(1, () -> {
                    for (int round = 0; round < rounds; round++) {
                        together.arriveAndAwaitAdvance();
                        spin(round / 64 % 64);
                        if (future.get().cancel(false)) {
                            cancelled.incrementAndGet();
                        } else {
                            assertThat(future.get().join().cancel()).isTrue();
                        }
                        together.arriveAndAwaitAdvance();
                    }
                })
                .run();

        assertThat(cancelled.get()).isBetween(1, rounds);
        turns.acquireAsync(1, scheduler).join().cancel();
        assertThat(turns.waiting()).isZero();
        assertThat(limiter.available(0)).isEqualTo(1);
    }

    /** Four threads come at once to a line of two: two wait, and two are refused, in each round. */
    @Test
    void acquireAsync_threadsComeToALineThatIsNearlyFull_exactlySoManyWait() {
        BlockingLimiter bounded = BlockingLimiter.of(limiter, () -> 0, 2);
        Reservation permit = bounded.acquireAsync(1, scheduler).join();
        Queue<CompletableFuture<Reservation>> waiting = new ConcurrentLinkedQueue<>();
        AtomicInteger wrong = new AtomicInteger();
        Phaser together = new Phaser(4) {
            @Override
            protected boolean onAdvance(int phase, int parties) {
                if (phase % 2 == 1 && (waiting.size() != 2 || bounded.waiting() != 2)) {
                    wrong.incrementAndGet();
                }
                return false;
            }
        };

        new AtOnce()
                .on(4, () -> {
                    for (int round = 0; round < 5_000; round++) {
                        together.arriveAndAwaitAdvance();
                        CompletableFuture<Reservation> own = bounded.acquireAsync(1, scheduler);
                        if (!own.isCompletedExceptionally()) {
                            waiting.add(own);
                        }
                        together.arriveAndAwaitAdvance();
                        waiting.remove(own);
                        own.cancel(false);
                    }
                })
                .run();

        assertThat(wrong).hasValue(0);
        assertThat(bounded.waiting()).isZero();
        assertThat(permit.cancel()).isTrue();
    }

    private static void spin(int rounds) {
        for (int i = 0; i < rounds; i++) {
            Thread.onSpinWait();
        }
    }

    /** Threads hand the only permit to one another, while others interrupt them all the time. */
    @Test
    void acquire_interruptedAtAnyMoment_handsThePermitOn() {
        int threads = 50;
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger running = new AtomicInteger(threads);
        AtomicLong granted = new AtomicLong();
        AtomicLong interrupted = new AtomicLong();
        List<Thread> all = new CopyOnWriteArrayList<>();
        SplittableRandom random = Seed.random("interrupts");

        new AtOnce()
                .on(threads, () -> {
                    all.add(Thread.currentThread());
                    for (int i = 0; i < 1_000 || interrupted.get() == 0; i++) { // the one that interrupts may be late
                        try {
                            Reservation permit =
                                    i % 5 == 0 ? turns.tryAcquire(1, Duration.ofNanos(50_000)) : turns.acquire(1);
                            if (permit.isGranted()) {
                                assertThat(holders.incrementAndGet()).isEqualTo(1);
                                holders.decrementAndGet();
                                assertThat(permit.cancel()).isTrue();
                                granted.incrementAndGet();
                            }
                        } catch (InterruptedException e) {
                            interrupted.incrementAndGet();
                        }
                    }
                    running.decrementAndGet();
                })
                .watchedBy(() -> {
                    while (running.get() > threads / 10) {
                        int any = random.nextInt(threads);
                        if (any < all.size()) {
                            all.get(any).interrupt();
                        }
                        Thread.onSpinWait();
                    }
                })
                .run();

        assertThat(granted.get()).isPositive();
        assertThat(turns.waiting()).isZero();
        assertThat(limiter.available(0)).isEqualTo(1);
    }
}
