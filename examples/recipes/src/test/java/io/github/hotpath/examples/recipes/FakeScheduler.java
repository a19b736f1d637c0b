package io.github.hotpath.examples.recipes;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A scheduler whose time passes when a test advances it, on that test's thread. Others may schedule tasks meanwhile. */
final class FakeScheduler extends ScheduledThreadPoolExecutor implements LongSupplier {
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long now;
    private long scheduled;

    FakeScheduler(long now) {
        super(0);
        this.now = now;
    }

    @Override
    public synchronized long getAsLong() {
        return now;
    }

    /** Runs the tasks of the next time span, in their order. */
    void advance(Duration span) {
        long end = getAsLong() + span.toNanos();
        for (Task next = nextUntil(end); next != null; next = nextUntil(end)) {
            next.run();
        }
    }

    private synchronized Task nextUntil(long end) {
        Task next = tasks.peek();
        boolean isDue = next != null && next.time - end <= 0;
        long time = isDue ? next.time : end;
        now = time - now > 0 ? time : now;
        return isDue ? tasks.remove() : null;
    }

    @Override
    public synchronized ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        Task task = new Task(command, now + unit.toNanos(delay));
        tasks.add(task);
        return task;
    }

    @Override
    public synchronized boolean remove(Runnable task) {
        return tasks.remove(task);
    }

    private final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {
        private final long time;
        private final long number = scheduled++;

        Task(Runnable command, long time) {
            super(command, null);
            this.time = time;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(time - getAsLong(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Task that = (Task) other;
            return time == that.time ? Long.compare(number, that.number) : Long.signum(time - that.time);
        }
    }
}
