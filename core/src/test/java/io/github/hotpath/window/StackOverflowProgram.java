package io.github.hotpath.window;

import io.github.hotpath.window.ErrorCalls.Mix;
import java.util.SplittableRandom;

/**
 * Calls windows in threads whose stacks overflow, at each depth from the deepest up to where every call has room, so
 * that each call is cut off at each place where it can be; and sees after each overflow whether the window is still
 * right. Ends with a status other than 0 if not, and if a call does not return.
 */
final class StackOverflowProgram {
    private static final int ROOM = 1 << 16;

    private final SplittableRandom random = Seed.random("stack");
    private final boolean concurrent;
    private final int rounds;
    private int overflows;

    private StackOverflowProgram(boolean concurrent, int rounds) {
        this.concurrent = concurrent;
        this.rounds = rounds;
    }

    /** Takes the simple name of the class of the window, and the number of rounds in each situation. */
    public static void main(String[] arguments) {
        boolean concurrent = arguments[0].equals(ConcurrentEventWindow.class.getSimpleName());
        StackOverflowProgram program = new StackOverflowProgram(concurrent, Integer.parseInt(arguments[1]));
        program.run("few events", 1, 5, new Mix(60, 3, 0, 1, false));
        program.run("thousands", 1, 3_000, new Mix(30_000, 3, 1, 0, false));
        program.run("many chunks", 1, 12_000, new Mix(120_000, 2, 3, 0, false));
        program.run("expiring in bulk", 1, 3_000, new Mix(30_000, 2, 3, 3, false));
        program.run("late events", 1, 5_000, new Mix(50_000, 10, 1, 0, false));
        if (concurrent) {
            program.run("stripes", 1, 100, new Mix(30_000, 3, 1, 1, false));
            program.run("threads at once", 3, 100, new Mix(1L << 40, 3, 1, 0, true));
        }
        System.out.println(program.overflows);
    }

    private void run(String situation, int threads, int fill, Mix mix) {
        AnyWindow window = AnyWindow.of(concurrent, mix.interval());
        long start = Long.MAX_VALUE - 1_000_000; // it wraps on the way
        ErrorCalls[] all = new ErrorCalls[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new ErrorCalls(window, start, mix, random.nextLong(), ROOM);
        }
        if (concurrent) {
            contend(window, start);
        }
        ErrorAudit audit = new ErrorAudit(all);
        Watchdog.run(() -> audit.run(true, fill), "before: " + situation);
        for (int round = 0; round < rounds; round++) {
            String doing = situation + ", round " + round;
            overflows += StackDiver.overflow(all, random, doing);
            boolean clear = threads > 1 || round % 16 == 15;
            Watchdog.run(() -> audit.run(clear, clear ? fill : 0), "audit: " + doing);
        }
    }

    /** Has threads contend for the window, so that there are several stripes, and clears it. */
    private static void contend(AnyWindow window, long start) {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 20_000; k++) {
                    window.record(start);
                    if (k % 1_000 == 0) {
                        window.count(start);
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            if (!Watchdog.ends(thread)) {
                Watchdog.endHanging("contend");
            }
        }
        window.clear();
    }
}
