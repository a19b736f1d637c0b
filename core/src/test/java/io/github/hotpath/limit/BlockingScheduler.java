package io.github.hotpath.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The scheduler of a {@link BlockingSimulation}, which runs the tasks. One that is cancelled stays unless removed. */
final class BlockingScheduler extends ScheduledThreadPoolExecutor {
    private final BlockingSimulation simulation;
    private final List<Task> tasks = new ArrayList<>();
    boolean isRejecting;
    boolean isOutOfMemory;

    /** Runs once, when a task has been accepted that is to run later. */
    @Nullable
    Runnable whenDelayed;

    BlockingScheduler(BlockingSimulation simulation) {
        super(1); // never has a thread
        this.simulation = simulation;
    }

    private final class Task extends FutureTask<Boolean> implements ScheduledFuture<Boolean> {
        private final long time;

        Task(Runnable command, long time) {
            super(command, true);
            this.time = time;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(time - simulation.now(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    /** Returns how many tasks are to run. */
    int due(long now) {
        return (int) tasks.stream().filter(task -> task.time - now <= 0).count();
    }

    /** Removes one of the tasks that are to run, which has to be run. */
    Runnable remove(int index, long now) {
        Task task = tasks.stream()
                .filter(each -> each.time - now <= 0)
                .skip(index)
                .findFirst()
                .orElseThrow();
        tasks.remove(task);
        return task;
    }

    /** Returns how long to wait for the next task. */
    long nextWait(long now) {
        return tasks.stream().mapToLong(task -> task.time - now).min().orElse(Parking.ENDLESS);
    }

    /** Returns how many tasks there are, cancelled ones included. */
    int size() {
        return tasks.size();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        if (isRejecting) {
            throw new RejectedExecutionException("rejected by the test");
        }
        if (isOutOfMemory) {
            throw new OutOfMemoryError("thrown by the test");
        }
        Task task = new Task(command, simulation.now() + unit.toNanos(delay));
        tasks.add(task);
        Runnable delayed = whenDelayed;
        if (delay > 0 && delayed != null) {
            whenDelayed = null;
            delayed.run();
        }
        simulation.pass();
        return task;
    }

    @Override
    public boolean remove(Runnable task) {
        return tasks.removeIf(each -> each == task);
    }
}
