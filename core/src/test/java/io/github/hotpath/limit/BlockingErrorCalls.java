package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Random calls on a {@link BlockingLimiter}, each of which may throw an error. A call that does not return is noticed
 * by the watchdog: permits always come back after some microseconds, so only one that has left the line without waking
 * the next can keep others.
 */
final class BlockingErrorCalls extends ErrorSource {
    private static final Duration SHORT = Duration.ofNanos(100);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final BlockingLimiter turns;
    private final BlockingScheduler scheduler;
    private @Nullable CompletableFuture<Reservation> future;
    private @Nullable Reservation kept;

    BlockingErrorCalls(BlockingLimiter turns, BlockingScheduler scheduler, long seed) {
        super(seed);
        this.turns = turns;
        this.scheduler = scheduler;
    }

    @Override
    public boolean hasRoom() {
        return true;
    }

    @Override
    public void make() {
        long bits = randomBits();
        int permits = 1 + (int) (bits >>> 8 & 1);
        try {
            switch ((int) (bits >>> 60)) {
                case 0, 1, 2, 3, 4, 5 -> kept = turns.acquire(permits);
                case 6, 7, 8 -> kept = turns.tryAcquire(permits, LONG);
                case 9, 10 -> kept = turns.tryAcquire(permits, SHORT);
                case 11, 12 -> future = turns.acquireAsync(permits, scheduler);
                case 13 -> leave();
                case 14 -> turns.recheck();
                default -> release();
            }
        } catch (InterruptedException e) {
            wrong = e;
        }
    }

    private void leave() {
        CompletableFuture<Reservation> waiting = future;
        if (waiting != null) {
            waiting.cancel(false);
        }
    }

    private void release() {
        Reservation granted = kept;
        if (granted != null) {
            granted.cancel();
        }
    }
}
