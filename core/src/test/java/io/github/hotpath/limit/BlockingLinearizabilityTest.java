package io.github.hotpath.limit;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.hotpath.fuzz.Interleavings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whether three threads that acquire, release and cancel see a fair semaphore: time stands still and nothing expires,
 * so permits come back by releases alone. A scheduler runs its tasks in the thread that hands them over.
 */
@Tag("slow")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class BlockingLinearizabilityTest {
    private static final int PERMITS = 3;
    private static final int THREADS = 8;

    @Test
    void calls_stressed_areThoseOfAFairSemaphore() {
        Interleavings.stressed(8).sequentialSpecification(Sequential.class).check(Concurrent.class);
    }

    /** A call on the limiter is one step: what happens inside of it is a matter of other tests. */
    @Test
    @Tag("model-checked")
    void calls_modelChecked_areThoseOfAFairSemaphore() {
        Interleavings.modelChecked(2, 100)
                .addGuarantee(
                        forClasses(Transaction.class.getName()).allMethods().ignore())
                .sequentialSpecification(Sequential.class)
                .check(Concurrent.class);
    }

    /** The calls of which Lincheck chooses. Each thread has one request at a time. Public, as it must be. */
    @Param(name = "permits", gen = IntGen.class, conf = "1:3")
    @Param(name = "thread", gen = ThreadIdGen.class)
    public abstract static class Calls {
        /** Makes a request, unless the thread has one already; returns whether it is served. */
        @Operation
        public abstract boolean acquire(@Param(name = "thread") int thread, @Param(name = "permits") int permits);

        /** Releases or cancels the thread's request; returns whether it had been served. */
        @Operation
        public abstract boolean release(@Param(name = "thread") int thread);

        @Operation
        public abstract boolean isServed(@Param(name = "thread") int thread);
    }

    /** The sequential specification: a fair semaphore. */
    public static final class Sequential extends Calls {
        private static final class Request {
            final int permits;
            boolean isServed;

            Request(int permits) {
                this.permits = permits;
            }
        }

        private final List<@Nullable Request> requests = new ArrayList<>();
        private final Deque<Request> line = new ArrayDeque<>();
        private int available = PERMITS;

        public Sequential() {
            for (int i = 0; i < THREADS; i++) {
                requests.add(null);
            }
        }

        @Override
        public boolean acquire(int thread, int permits) {
            if (requests.get(thread) != null) {
                return isServed(thread);
            }
            Request request = new Request(permits);
            requests.set(thread, request);
            line.add(request);
            serve();
            return request.isServed;
        }

        @Override
        public boolean release(int thread) {
            Request request = requests.set(thread, null);
            if (request == null) {
                return false;
            }
            available += request.isServed ? request.permits : 0;
            line.remove(request);
            serve();
            return request.isServed;
        }

        @Override
        public boolean isServed(int thread) {
            Request request = requests.get(thread);
            return request != null && request.isServed;
        }

        private void serve() {
            for (Request first = line.peek(); first != null && first.permits <= available; first = line.peek()) {
                available -= first.permits;
                first.isServed = true;
                line.remove();
            }
        }
    }

    /** The calls on a new limiter. */
    public static final class Concurrent extends Calls {
        private final BlockingLimiter turns =
                BlockingLimiter.of(SlidingWindowLimiter.of(Limit.of(PERMITS, Duration.ofNanos(1L << 61))), () -> 0);
        private final BlockingSimulation simulation = BlockingSimulation.still(0);
        private final List<@Nullable CompletableFuture<Reservation>> requests = new ArrayList<>();

        public Concurrent() {
            simulation.scheduler.isDirect = true;
            for (int i = 0; i < THREADS; i++) {
                requests.add(null);
            }
        }

        @Override
        public boolean acquire(int thread, int permits) {
            if (requests.get(thread) != null) {
                return isServed(thread);
            }
            CompletableFuture<Reservation> request = turns.acquireAsync(permits, simulation.opaqueScheduler);
            requests.set(thread, request);
            return request.isDone();
        }

        @Override
        public boolean release(int thread) {
            CompletableFuture<Reservation> request = requests.set(thread, null);
            return request != null && !request.cancel(false) && request.join().cancel();
        }

        @Override
        public boolean isServed(int thread) {
            CompletableFuture<Reservation> request = requests.get(thread);
            return request != null && request.isDone();
        }
    }
}
