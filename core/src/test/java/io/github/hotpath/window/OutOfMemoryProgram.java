package io.github.hotpath.window;

import io.github.hotpath.window.ErrorCalls.Mix;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Calls windows while there is hardly any memory, more or less each time, so that each allocation of a call is the one
 * that fails; and sees afterwards, with memory enough, whether the window is still right. Ends with a status other than
 * 0 if not, and if a call does not return. For a small heap.
 */
final class OutOfMemoryProgram {
    /** The most calls of a thread in a round: fewer if memory runs out often enough. */
    private static final int CALLS = 400;

    private static final int ROOM = 1 << 15;

    private final SplittableRandom random = Seed.random("memory");
    private final Ballast ballast = new Ballast(random);
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
            ErrorAudit.run(() -> audit.run(clear, clear ? random.nextInt(leastFill, 2 * fill) : 0), "audit: " + doing);
            runOut(all, doing);
        }
        ErrorAudit.run(() -> audit.run(true, 0), "audit: " + situation);
    }

    /** Makes calls in as many threads as there are accounts, which begin when memory is full but for a few bytes. */
    private void runOut(ErrorCalls[] all, String doing) {
        Caller[] callers = new Caller[all.length];
        Thread[] threads = new Thread[all.length];
        Gate gate = new Gate();
        for (int i = 0; i < all.length; i++) {
            callers[i] = new Caller(all[i], gate, ballast);
            threads[i] = new Thread(callers[i], doing);
            threads[i].start();
        }
        gate.awaitThreads(threads.length);
        ballast.load();
        gate.open();
        boolean ended = true;
        for (Thread thread : threads) {
            ended &= ErrorAudit.ends(thread);
        }
        ballast.drop();
        if (!ended) {
            ErrorAudit.endHanging(doing);
        }
        for (Caller caller : callers) {
            errors += caller.errors;
        }
    }

    private static final class Caller implements Runnable {
        private final ErrorCalls calls;
        private final Gate gate;
        private final Ballast ballast;
        private int errors;

        Caller(ErrorCalls calls, Gate gate, Ballast ballast) {
            this.calls = calls;
            this.gate = gate;
            this.ballast = ballast;
        }

        @Override
        public void run() {
            gate.pass();
            for (int i = 0; i < CALLS && calls.hasRoom(); i++) {
                try {
                    calls.make();
                } catch (OutOfMemoryError e) {
                    errors++;
                    if (!ballast.dropSome()) {
                        return;
                    }
                } catch (Throwable unexpected) {
                    calls.fail(unexpected);
                }
            }
        }
    }

    /** Where threads wait, without allocating anything. */
    private static final class Gate {
        private int waiting;
        private boolean open;

        synchronized void awaitThreads(int threads) {
            while (waiting < threads) {
                await();
            }
        }

        synchronized void pass() {
            waiting++;
            notifyAll();
            while (!open) {
                await();
            }
        }

        synchronized void open() {
            open = true;
            notifyAll();
        }

        private void await() {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Objects that fill the heap. */
    private static final class Ballast {
        /** Bytes of the smallest block, without its header: one of the smallest objects. */
        private static final int SMALLEST = 4;

        /** Each of a few bytes up to more than the largest chunk takes, to be dropped one after the other. */
        private final byte[][] bags = new byte[12][];

        private final byte[][] blocks = new byte[1 << 14][];
        private final SplittableRandom random;
        private int dropped;

        Ballast(SplittableRandom random) {
            this.random = random;
        }

        /** Fills the heap. */
        void load() {
            for (int i = 0; i < bags.length; i++) {
                bags[i] = new byte[random.nextInt(16 << random.nextInt(11))];
            }
            dropped = 0;
            int count = 0;
            for (int size = 1 << 20; size >= SMALLEST; size /= 64) {
                try {
                    while (count < blocks.length) {
                        blocks[count] = new byte[size];
                        count++;
                    }
                } catch (OutOfMemoryError full) {
                    // on with smaller ones
                }
            }
        }

        /** Drops the next bag, and returns whether there was one. */
        synchronized boolean dropSome() {
            if (dropped == bags.length) {
                return false;
            }
            bags[dropped] = null;
            dropped++;
            return true;
        }

        /** Drops everything. */
        void drop() {
            Arrays.fill(bags, null);
            Arrays.fill(blocks, null);
        }
    }
}
