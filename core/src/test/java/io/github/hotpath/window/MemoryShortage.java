package io.github.hotpath.window;

import io.github.hotpath.testing.Watchdog;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Hardly any memory, more or less each time, so that each allocation of a call is the one that fails. */
final class MemoryShortage {
    /** The most calls of a thread: fewer if memory runs out often enough. */
    private static final int CALLS = 400;

    /** Bytes of the smallest block, without its header: one of the smallest objects. */
    private static final int SMALLEST = 4;

    private final SplittableRandom random;

    /** Each of a few bytes up to more than the largest chunk takes, to be dropped one after the other. */
    private final byte[][] bags = new byte[12][];

    private final byte[][] blocks = new byte[1 << 14][];
    private int dropped;
    private volatile boolean isFull;

    MemoryShortage(SplittableRandom random) {
        this.random = random;
    }

    /**
     * Makes calls in a thread for each of these, which begin when memory is full but for a few bytes; returns how many
     * threw.
     */
    int runOut(ErrorCalls[] all, String doing) {
        Caller[] callers = Stream.of(all).map(Caller::new).toArray(Caller[]::new);
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(callers[i], doing);
            threads[i].start();
        }
        fill();
        isFull = true;
        boolean ended = Watchdog.end(threads);
        isFull = false;
        Arrays.fill(bags, null);
        Arrays.fill(blocks, null);
        if (!ended) {
            Watchdog.endHanging(doing);
        }
        return Stream.of(callers).mapToInt(caller -> caller.errors).sum();
    }

    private void fill() {
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
    private synchronized boolean dropSome() {
        if (dropped == bags.length) {
            return false;
        }
        bags[dropped] = null;
        dropped++;
        return true;
    }

    private final class Caller implements Runnable {
        private final ErrorCalls calls;
        private int errors;

        Caller(ErrorCalls calls) {
            this.calls = calls;
        }

        @Override
        public void run() {
            while (!isFull) {
                Thread.onSpinWait(); // which allocates nothing
            }
            for (int i = 0; i < CALLS && calls.hasRoom(); i++) {
                try {
                    calls.make();
                } catch (OutOfMemoryError e) {
                    errors++;
                    if (!dropSome()) {
                        return;
                    }
                } catch (Throwable unexpected) {
                    calls.fail(unexpected);
                }
            }
        }
    }
}
