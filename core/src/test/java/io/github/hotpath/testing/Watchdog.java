package io.github.hotpath.testing;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Ends a JVM in which a call does not return, or has a wrong result; for programs in JVMs of their own. */
public final class Watchdog {
    /**
     * Milliseconds after which a call does not return any more: long, since machines are busy and some JVMs interpret.
     */
    private static final long PATIENCE = TimeUnit.MINUTES.toMillis(4);

    private static final String PACKAGE = "io.github.hotpath";
    private static final int FAILED = 1;
    private static final int HANGS = 3;

    private Watchdog() {}

    /** Waits for the thread to end, and returns whether it does, within a time that is long enough for anything. */
    public static boolean ends(Thread thread) {
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return !thread.isAlive();
    }

    /** Ends the JVM with a report of what the other threads do in this library. */
    private static void endHanging(String doing) {
        System.err.println("HANGS: " + doing + ", " + Seed.hint());
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            if (thread != Thread.currentThread()
                    && Arrays.stream(frames)
                            .anyMatch(frame -> frame.getClassName().startsWith(PACKAGE))) {
                System.err.println(thread);
                Arrays.stream(frames).limit(20).forEach(frame -> System.err.println("    " + frame));
            }
        });
        Runtime.getRuntime().halt(HANGS);
    }

    /** Runs {@code task} in a thread of its own, which must end. */
    public static void run(Runnable task, String doing) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (Throwable e) {
                        System.err.println("FAILED: " + doing + ", " + Seed.hint());
                        e.printStackTrace();
                        Runtime.getRuntime().halt(FAILED);
                    }
                },
                doing);
        thread.start();
        if (!ends(thread)) {
            endHanging(doing);
        }
    }
}
