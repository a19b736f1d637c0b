package io.github.hotpath.examples.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/** Many threads at once. */
final class Threads {
    private Threads() {}

    /** Runs a task for each index in a thread of its own, all at once after {@code first}, and waits for their ends. */
    static void runAll(int number, boolean areVirtual, Action first, IntConsumer task) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(number);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            int index = i;
            threads.add(start(areVirtual, () -> {
                ready.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                task.accept(index);
            }));
        }
        ready.await();
        first.run();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** What is done when all threads are there, which takes a while. */
    interface Action {
        void run() throws InterruptedException;
    }

    private static Thread start(boolean isVirtual, Runnable task) {
        if (!isVirtual) {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
            return thread;
        }
        try { // by reflection, for it does not compile with JDK 17
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no virtual threads", e);
        }
    }
}
