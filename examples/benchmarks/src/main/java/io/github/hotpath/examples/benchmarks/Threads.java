package io.github.hotpath.examples.benchmarks;

/** Creates daemon threads: virtual ones where the JDK has them, and platform threads with chosen ids. */
final class Threads {
    private Threads() {}

    static boolean hasVirtual() {
        return Runtime.version().feature() >= 21;
    }

    /** Returns a thread that has not been started. */
    static Thread create(boolean virtual, Runnable task) {
        if (virtual) {
            return createVirtual(task);
        }
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns a platform thread whose id is, modulo 64, {@code apart} more than that of {@code other}. */
    static Thread apart(Thread other, int apart, Runnable task) {
        while (true) { // each new thread has another id
            Thread thread = create(false, task);
            if (Math.floorMod(id(thread) - id(other) - apart, 64) == 0) {
                return thread;
            }
        }
    }

    @SuppressWarnings("deprecation") // since 19; its successor is not in JDK 17
    static long id(Thread thread) {
        return thread.getId();
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
