package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads, and a clock and a scheduler for them, in which one thread runs at a time and time passes only when all wait.
 * Which thread runs next, at each reading of the clock, is random: so what happens is the same for the same seed.
 */
final class BlockingSimulation implements Parking, AutoCloseable {
    /** A clock that stands still makes equal times; one that ticks at each reading tells what came first. */
    private final long tick;

    private final SplittableRandom random;
    private final List<Simulated<?>> threads = new ArrayList<>();
    private final Semaphore control = new Semaphore(0);
    final BlockingScheduler scheduler = new BlockingScheduler(this);

    /** The same scheduler, as one that is no {@link java.util.concurrent.ThreadPoolExecutor}. */
    final ScheduledExecutorService opaqueScheduler = Executors.unconfigurableScheduledExecutorService(scheduler);

    private @Nullable Simulated<?> running;
    private boolean isYielding;

    /** What happens between any two steps. */
    private Runnable disturbance = () -> {};

    private long now;

    /** Each call of {@link #park}: for how long. */
    final List<Long> parks = new ArrayList<>();

    /** Each thread that was unparked, in order. */
    final List<Thread> unparks = new ArrayList<>();

    BlockingSimulation(long start, long tick, SplittableRandom random) {
        this.now = start;
        this.tick = tick;
        this.random = random;
    }

    /** A simulation in which the clock stands still until it is advanced. */
    static BlockingSimulation still(long start) {
        return new BlockingSimulation(start, 0, new SplittableRandom(start));
    }

    /** A thread of the simulation, and what its call returns or throws; to cancel it is to interrupt the thread. */
    final class Simulated<T> extends CompletableFuture<T> {
        final Thread thread = new Thread(this::run);
        private final Callable<T> call;
        private final Semaphore go = new Semaphore(0);
        private boolean mayRun;

        /** Cannot be read from the thread while it waits for its turn. */
        private boolean isInterrupted;

        private boolean isParked;
        private long parkedAt;
        private long parkedFor;

        Simulated(Callable<T> call) {
            this.call = call;
        }

        private void run() {
            go.acquireUninterruptibly();
            try {
                complete(call.call());
            } catch (Throwable e) {
                completeExceptionally(e);
            }
            control.release();
        }

        private boolean isRunnable() {
            return !isDone() && (!isParked || mayRun || isInterrupted || left() <= 0);
        }

        private long left() {
            return parkedFor == ENDLESS ? ENDLESS : parkedFor - (now - parkedAt);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            isInterrupted = true;
            thread.interrupt();
            return false;
        }

        private void awaitTurn() {
            control.release();
            go.acquireUninterruptibly();
        }
    }

    long nanos() {
        pass();
        now += tick;
        return now;
    }

    /** Returns the time, which does not pass. */
    long now() {
        return now;
    }

    /** Starts a thread, which runs alone until it is parked or ends. */
    <T> Simulated<T> start(Callable<T> call) {
        boolean was = isYielding;
        isYielding = false;
        Simulated<T> started = startYielding(call);
        isYielding = was;
        return started;
    }

    private <T> Simulated<T> startYielding(Callable<T> call) {
        Simulated<T> started = new Simulated<>(call);
        threads.add(started);
        started.thread.start();
        resume(started);
        return started;
    }

    private void resume(Simulated<?> thread) {
        running = thread;
        thread.go.release();
        control.acquireUninterruptibly();
        running = null;
    }

    /** Runs all threads and tasks, each for a while, until all of them wait. */
    void settle() {
        isYielding = true;
        while (step()) {
            threads.removeIf(Simulated::isDone);
            disturbance.run();
        }
        isYielding = false;
    }

    /** Lets something happen between any two steps from now on, so also while a thread is in the middle of a call. */
    void disturbBy(Runnable disturbance) {
        this.disturbance = disturbance;
    }

    private boolean step() {
        List<Simulated<?>> runnable =
                threads.stream().filter(Simulated::isRunnable).toList();
        int tasks = scheduler.due(now);
        if (runnable.isEmpty() && tasks == 0) {
            return false;
        }
        int next = random.nextInt(runnable.size() + tasks);
        if (next < runnable.size()) {
            resume(runnable.get(next));
        } else {
            Runnable task = scheduler.remove(next - runnable.size(), now);
            Simulated<?> unused = startYielding(Executors.callable(task));
        }
        return true;
    }

    /**
     * Lets time pass until the next thread or task has waited long enough, and settles; returns whether there is one.
     */
    boolean advanceToNext() {
        settle();
        long wait = nextWait();
        if (wait == ENDLESS) {
            return false;
        }
        now += wait;
        settle();
        return true;
    }

    /** Lets so much time pass. */
    void advance(long nanos) {
        long end = now + nanos;
        settle();
        for (long wait = nextWait(); wait <= end - now; wait = nextWait()) {
            now += wait;
            settle();
        }
        now = end - now > 0 ? end : now;
        settle();
    }

    private long nextWait() {
        long wait = scheduler.nextWait(now);
        for (Simulated<?> thread : threads) {
            wait = thread.isDone() || !thread.isParked ? wait : Math.min(wait, thread.left());
        }
        return wait;
    }

    /** Lets another thread run here. */
    void pass() {
        Simulated<?> self = running;
        if (isYielding && self != null) {
            self.awaitTurn();
        }
    }

    @Override
    public void park(Object blocker, long nanos) {
        Simulated<?> self = running;
        if (self == null) {
            throw new AssertionError("the test itself would wait");
        }
        parks.add(nanos);
        if (!self.mayRun && !self.thread.isInterrupted()) {
            self.isParked = true;
            self.parkedAt = now;
            self.parkedFor = nanos;
            self.awaitTurn();
            self.isParked = false;
        }
        self.mayRun = false;
        self.isInterrupted = false;
    }

    @Override
    public void unpark(Thread thread) {
        unparks.add(thread);
        for (Simulated<?> each : threads) {
            if (each.thread == thread) {
                each.mayRun = true;
            }
        }
        pass();
    }

    /** Ends the threads that are left. */
    @Override
    public void close() {
        disturbance = () -> {};
        for (Simulated<?> thread : List.copyOf(threads)) {
            thread.cancel(true);
        }
        settle();
        for (Simulated<?> thread : threads) {
            Uninterruptibles.joinUninterruptibly(thread.thread, 4, TimeUnit.MINUTES); // machines are busy
            assertThat(thread.thread.isAlive()).isFalse();
        }
    }
}
