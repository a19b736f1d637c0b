package io.github.hotpath.limit;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.hotpath.fuzz.Interleavings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
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
@Timeout(value = 10, unit = TimeUnit.MINUTES)
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
                .addGuarantee(forClasses(JointCall.class.getName()).allMethods().ignore())
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
        private final BlockingLimiter turns = BlockingLimiter.of(
                SlidingWindowLimiter.of(Limit.of(PERMITS, Duration.ofNanos(Long.MAX_VALUE))), () -> 0);
        private final Direct scheduler = new Direct();
        private final List<@Nullable CompletableFuture<Reservation>> requests = new ArrayList<>();

        public Concurrent() {
            for (int i = 0; i < THREADS; i++) {
                requests.add(null);
            }
        }

        @Override
        public boolean acquire(int thread, int permits) {
            if (requests.get(thread) != null) {
                return isServed(thread);
            }
            CompletableFuture<Reservation> request = turns.acquireAsync(permits, scheduler);
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

    /** Runs what is due at once, and nothing else. */
    private static final class Direct extends AbstractExecutorService implements ScheduledExecutorService {
        private static final class Task extends FutureTask<Boolean> implements ScheduledFuture<Boolean> {
            Task(Runnable command) {
                super(command, true);
            }

            @Override
            public long getDelay(TimeUnit unit) {
                return 0;
            }

            @Override
            public int compareTo(Delayed other) {
                return 0;
            }
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            Task task = new Task(command);
            if (delay == 0) {
                task.run();
            }
            return task;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initial, long period, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initial, long delay, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void shutdown() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Runnable> shutdownNow() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isShutdown() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void execute(Runnable command) {
            throw new UnsupportedOperationException();
        }
    }
}
