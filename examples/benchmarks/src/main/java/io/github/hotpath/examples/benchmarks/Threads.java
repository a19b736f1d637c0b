package io.github.hotpath.examples.benchmarks;

/** Creates daemon threads: virtual ones where the JDK has them. */
final class Threads {
    private Threads() {}

    /** Returns a thread that has not been started. */
    static Thread create(boolean virtual, Runnable task) {
        if (virtual) {
            return createVirtual(task);
        }
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /** By reflection, for {@code Thread.ofVirtual().unstarted(task)} does not compile with JDK 17. */
    private static Thread createVirtual(Runnable task) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (Thread) Class.forName("java.lang.Thread$Builder")
                    .getMethod("unstarted", Runnable.class)
                    .invoke(builder, task);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no virtual threads", e);
        }
    }
}
