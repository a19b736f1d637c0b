package io.github.hotpath.examples.recipes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A scheduler whose time passes as fast as it has run its tasks, to show minutes at once. For one thread. */
final class SimulatedScheduler extends AbstractExecutorService implements ScheduledExecutorService {
    private final PriorityQueue<Task<?>> tasks = new PriorityQueue<>();
    private long now;
    private long scheduled;
    private boolean isShutdown;

    /** Creates a scheduler whose clock starts at {@code now}. */
    SimulatedScheduler(long now) {
        this.now = now;
    }

    /** Returns the time in nanoseconds. */
    long nanos() {
        return now;
    }

    /** Runs the tasks of the next time span, in their order. */
    void advance(Duration span) {
        long end = now + span.toNanos();
        for (Task<?> next = tasks.peek(); next != null && next.time - end <= 0; next = tasks.peek()) {
            tasks.remove();
            now = next.time - now > 0 ? next.time : now;
            next.run();
        }
        now = end;
    }

    private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {
        private final long time;
        private final long number = scheduled++;

        Task(Callable<V> call, long time) {
            super(call);
            this.time = time;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(time - now, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Task<?> that = (Task<?>) other;
            return time == that.time ? Long.compare(number, that.number) : Long.signum(time - that.time);
        }

        @Override
        protected void done() {
            if (isCancelled()) {
                tasks.remove(this);
            }
        }
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> call, long delay, TimeUnit unit) {
        if (isShutdown) {
            throw new RejectedExecutionException();
        }
        Task<V> task = new Task<>(call, now + unit.toNanos(delay));
        tasks.add(task);
        return task;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return schedule(
                () -> {
                    command.run();
                    return true;
                },
                delay,
                unit);
    }

    @Override
    public void execute(Runnable command) {
        schedule(command, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        isShutdown = true;
        List<Runnable> dropped = new ArrayList<>(tasks);
        tasks.clear();
        return dropped;
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown && tasks.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }
}
