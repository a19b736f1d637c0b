package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A crowd that waits by the real clock, and by the JVM's parking: all are served, and never too many. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BlockingCrowdTest {
    @Test
    void acquire_aThousandThreads_areServed() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(1_000);
        check(turns -> threads.submit(() -> turns.acquire(1)), 1_000, Limit.of(100, Duration.ofMillis(20)));
        threads.shutdown();
    }

    @Test
    void acquire_aHundredThousandVirtualThreads_areServed() throws Exception {
        ExecutorService threads = virtualThreads();
        check(turns -> threads.submit(() -> turns.acquire(1)), 100_000, Limit.of(10_000, Duration.ofMillis(50)));
        threads.shutdown();
    }

    @Test
    void acquireAsync_aThousandFutures_areServed() throws Exception {
        ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
        check(turns -> turns.acquireAsync(1, scheduler), 1_000, Limit.of(100, Duration.ofMillis(20)));
        scheduler.shutdown();
    }

    /** Checks that all requests are served, that no interval has more permits, and that all may be used by now. */
    private static void check(Function<BlockingLimiter, Future<Reservation>> request, int requests, Limit limit)
            throws Exception {
        BlockingLimiter turns = BlockingLimiter.of(SlidingWindowLimiter.of(limit));
        List<Future<Reservation>> served =
                Stream.generate(() -> request.apply(turns)).limit(requests).toList();
        List<Long> slots = new ArrayList<>();
        for (Future<Reservation> each : served) {
            slots.add(requireNonNull(each.get().grants)[0].slot);
        }

        assertThat(turns.waiting()).isZero();
        long now = System.nanoTime();
        long[] ages = slots.stream().mapToLong(slot -> now - slot).sorted().toArray();
        assertThat(ages[0]).isNotNegative();
        int permits = (int) limit.max();
        for (int i = permits; i < ages.length; i++) {
            assertThat(ages[i] - ages[i - permits])
                    .isGreaterThan(limit.interval().toNanos());
        }
    }

    /** More threads than carriers wait, some of them in line and one for the limiter: none of them keeps a carrier. */
    @Test
    void acquire_virtualThreads_keepNoCarrier() throws Exception {
        BlockingLimiter turns = BlockingLimiter.of(SlidingWindowLimiter.of(Limit.of(1, Duration.ofNanos(1L << 61))));
        Reservation only = turns.acquire(1);
        ExecutorService threads = virtualThreads();
        List<Future<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            waiting.add(threads.submit(() -> turns.acquire(1).cancel()));
        }
        while (turns.waiting() < 1_000) {
            Thread.onSpinWait();
        }

        assertThat(threads.submit(() -> true).get()).isTrue(); // there is a carrier for it
        only.cancel();

        for (Future<Boolean> each : waiting) {
            assertThat(each.get()).isTrue();
        }
        threads.shutdown();
    }

    /** The tests are compiled for JDK 17, which has none. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        assumeTrue(Runtime.version().feature() >= 21, "there are no virtual threads before JDK 21");
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }
}
