package io.github.hotpath.window;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Hardly any memory, more or less each time, so that each allocation of a call is the one that fails. */
public final class MemoryShortage {
    /** The most calls of a thread: fewer if memory runs out often enough. */
    private static final int CALLS = 400;

    private final Ballast ballast;

    public MemoryShortage(SplittableRandom random) {
        this.ballast = new Ballast(random);
    }

    /**
     * Makes calls in a thread for each of these, which begin when memory is full but for a few bytes; returns how many
     * threw.
     */
    public int runOut(ErrorSource[] all, String doing) {
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
            ended &= Watchdog.ends(thread);
        }
        ballast.drop();
        if (!ended) {
            Watchdog.endHanging(doing);
        }
        int errors = 0;
        for (Caller caller : callers) {
            errors += caller.errors;
        }
        return errors;
    }

    private static final class Caller implements Runnable {
        private final ErrorSource calls;
        private final Gate gate;
        private final Ballast ballast;
        private int errors;

        Caller(ErrorSource calls, Gate gate, Ballast ballast) {
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
