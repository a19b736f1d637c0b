package io.github.hotpath.window;

import io.github.hotpath.window.AnyWindow.Kind;
import io.github.hotpath.window.ErrorCalls.Mix;

/** The {@link ErrorProgram} of the exact windows. */
final class WindowErrorProgram {
    private static final int ROOM = 1 << 16;

    private final boolean concurrent;
    private final ErrorProgram program;

    private WindowErrorProgram(boolean concurrent, ErrorProgram program) {
        this.concurrent = concurrent;
        this.program = program;
    }

    /** Takes the simple name of the class of the window, and what {@link ErrorProgram} does. */
    public static void main(String[] arguments) {
        boolean concurrent = arguments[0].equals(ConcurrentEventWindow.class.getSimpleName());
        new WindowErrorProgram(concurrent, new ErrorProgram("window errors", arguments[1], arguments[2])).run();
    }

    private void run() {
        boolean memory = program.isShortOfMemory();
        run("few events", 1, 5, new Mix(60, 3, 0, 1, false));
        run("thousands", 1, 3_000, new Mix(30_000, 3, memory ? 2 : 1, 0, false));
        run("expiring in bulk", 1, 3_000, new Mix(30_000, 2, 3, 3, false));
        run("late events", 1, memory ? 3_000 : 5_000, new Mix(memory ? 30_000 : 50_000, 10, 1, 0, false));
        if (!memory) {
            run("many chunks", 1, 12_000, new Mix(120_000, 2, 3, 0, false));
        }
        if (concurrent) {
            if (!memory) {
                run("stripes", 1, 100, new Mix(30_000, 3, 1, 1, false));
            }
            run("threads at once", 3, 100, new Mix(1L << 40, 3, memory ? 2 : 1, 0, true));
        }
        program.end();
    }

    private void run(String situation, int threads, int fill, Mix mix) {
        AnyWindow window = (concurrent ? Kind.CONCURRENT : Kind.EXACT).ofNanos(mix.interval());
        long start = Long.MAX_VALUE - 1_000_000; // it wraps on the way
        ErrorCalls[] all = new ErrorCalls[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new ErrorCalls(window, start, mix, program.random().nextLong(), ROOM);
        }
        if (concurrent && !program.isShortOfMemory()) {
            contend(window, start);
        }
        ErrorAudit audit = new ErrorAudit(all);
        program.run(situation, all, round -> {
            // Every second time a new window if memory is short: what it has not needed yet, it must still allocate.
            int kept = program.isShortOfMemory() ? 2 : 16;
            boolean clear = threads > 1 || (round + 1) % kept == 0;
            audit.run(clear, clear ? filling(fill) : 0);
        });
    }

    private int filling(int fill) {
        return program.isShortOfMemory() ? program.random().nextInt(2 * fill) : fill;
    }

    /** Has threads contend for the window, so that there are several stripes, and clears it. */
    private static void contend(AnyWindow window, long start) {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 20_000; k++) {
                    window.record().accept(start);
                    if (k % 1_000 == 0) {
                        window.count().applyAsLong(start);
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
        window.clear().run();
    }
}
