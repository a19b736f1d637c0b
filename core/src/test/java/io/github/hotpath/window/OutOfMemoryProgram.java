package io.github.hotpath.window;

import io.github.hotpath.window.ErrorCalls.Mix;
import java.util.SplittableRandom;

/**
 * Calls windows while there is hardly any memory, more or less each time, so that each allocation of a call is the one
 * that fails; and sees afterwards, with memory enough, whether the window is still right. Ends with a status other than
 * 0 if not, and if a call does not return. For a small heap.
 */
final class OutOfMemoryProgram {
    private static final int ROOM = 1 << 15;

    private final SplittableRandom random = Seed.random("memory");
    private final MemoryShortage shortage = new MemoryShortage(random);
    private final int rounds;
    private final boolean concurrent;
    private int errors;

    private OutOfMemoryProgram(boolean concurrent, int rounds) {
        this.concurrent = concurrent;
        this.rounds = rounds;
    }

    /** Takes the simple name of the class of the window, and the number of rounds in each situation. */
    public static void main(String[] arguments) {
        boolean concurrent = arguments[0].equals(ConcurrentEventWindow.class.getSimpleName());
        OutOfMemoryProgram program = new OutOfMemoryProgram(concurrent, Integer.parseInt(arguments[1]));
        program.run("few events", 1, 5, new Mix(60, 3, 0, 1, false));
        program.run("thousands", 1, 3_000, new Mix(30_000, 3, 2, 0, false));
        program.run("expiring in bulk", 1, 3_000, new Mix(30_000, 2, 3, 3, false));
        program.run("late events", 1, 3_000, new Mix(30_000, 10, 1, 0, false));
        if (concurrent) {
            program.run("threads at once", 3, 100, new Mix(1L << 40, 3, 2, 0, true));
        }
        System.out.println(program.errors);
    }

    private void run(String situation, int threads, int fill, Mix mix) {
        ErrorCalls[] all = new ErrorCalls[threads];
        AnyWindow window = AnyWindow.of(concurrent, mix.interval());
        for (int i = 0; i < threads; i++) {
            all[i] = new ErrorCalls(window, Long.MAX_VALUE - 1_000_000, mix, random.nextLong(), ROOM);
        }
        ErrorAudit audit = new ErrorAudit(all);
        int leastFill = mix.shared() ? 1 : 0; // a shared window is never empty: an attempt with limit 1 must be refused
        for (int round = 0; round < rounds; round++) {
            // Every second time a new window: what it has not needed yet, it must still allocate.
            boolean clear = threads > 1 || round % 2 == 0;
            String doing = situation + ", round " + round;
            Watchdog.run(() -> audit.run(clear, clear ? random.nextInt(leastFill, 2 * fill) : 0), "audit: " + doing);
            errors += shortage.runOut(all, doing);
        }
        Watchdog.run(() -> audit.run(true, 0), "audit: " + situation);
    }
}
