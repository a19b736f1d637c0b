package io.github.hotpath.examples.recipes;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads for tasks that mostly wait. */
final class WaitingThreads {
    private WaitingThreads() {}

    /**
     * Returns a virtual thread for each task where the JDK has them (21 and later), and a pool of ordinary threads
     * elsewhere. By reflection, so that it compiles for Java 17.
     */
    static ExecutorService start() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            return Executors.newCachedThreadPool();
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
