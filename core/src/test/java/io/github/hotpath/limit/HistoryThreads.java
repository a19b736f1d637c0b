package io.github.hotpath.limit;

import io.github.hotpath.limit.HistoryProgram.History;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Three threads, of which the first is the caller's, that make the steps of a program at the same time, again and again.
 *
 * <p>A step of the other threads may be held back until the first thread has come to a callback, say when a limiter asks
 * for the hash of a key. The first thread goes on when the step has been made, or waits for a lock.
 */
final class HistoryThreads implements AutoCloseable {
    private static final int THREADS = 3;

    /** Cache lines apart. */
    private static final int STRIDE = 32;

    private final Thread[] others = new Thread[THREADS];
    private final SplittableRandom random;
    private volatile @Nullable Round current;
    private volatile boolean isClosed;

    /** How many callbacks there were in the last round. */
    private int callbacks = 8;

    HistoryThreads(SplittableRandom random) {
        this.random = random;
        for (int thread = 1; thread < THREADS; thread++) {
            int number = thread;
            others[thread] = new Thread(() -> work(number), "history " + thread);
            others[thread].setDaemon(true);
            others[thread].start();
        }
    }

    int callbacks() {
        return callbacks;
    }

    @Override
    public void close() {
        isClosed = true;
    }

    private void work(int thread) {
        Round last = null;
        for (int spins = 0; !isClosed; spins++) {
            Round next = current;
            if (next == last || next == null || thread >= next.program.threads.size()) {
                pause(spins);
            } else {
                next.makeAll(thread);
                last = next;
                spins = 0;
            }
        }
    }

    /** Makes the steps of a program once; those of other threads begin at random, or at random callbacks. */
    History run(HistoryProgram program, boolean isHeldBack) {
        Round round = new Round(program);
        for (int thread = 0; thread < THREADS; thread++) {
            round.spins[thread] = isHeldBack || random.nextBoolean() ? 0 : random.nextInt(60);
            for (int step = 0; isHeldBack && step < round.releases[thread].length; step++) {
                int earliest = step == 0 ? 0 : round.releases[thread][step - 1];
                boolean isAtOnce = random.nextInt(3) == 0;
                round.releases[thread][step] = earliest + (isAtOnce ? 0 : random.nextInt(callbacks + 2));
            }
        }
        round.spinsAtCallbacks = isHeldBack || random.nextBoolean() ? 0 : random.nextInt(40);
        return round.make();
    }

    /** Makes the steps of a program of two threads once; those of the second one begin at given callbacks. */
    History run(HistoryProgram program, int... atCallbacks) {
        Round round = new Round(program);
        System.arraycopy(atCallbacks, 0, round.releases[1], 0, atCallbacks.length);
        return round.make();
    }

    private final class Round {
        private final HistoryProgram program;
        private final Thread first = Thread.currentThread();
        private final LimiterWorld world = new LimiterWorld(HistoryProgram.SETTING, this::callback);
        private final History history = new History(new Object[HistoryProgram.STEPS], new int[HistoryProgram.STEPS][]);
        private final AtomicIntegerArray made = new AtomicIntegerArray(THREADS * STRIDE);

        /** At which callback of the first thread each step of the others may begin. */
        private final int[][] releases = new int[THREADS][4];

        /** How many spins a thread waits before each step, and at callbacks. */
        private final int[] spins = new int[THREADS];

        private int spinsAtCallbacks;

        /** The last callback of the first thread, which makes its steps. */
        private volatile int callback;

        private boolean isRunning;

        Round(HistoryProgram program) {
            this.program = program;
        }

        History make() {
            program.before.forEach(this::make);
            isRunning = true;
            current = this; // the others begin
            releaseUpTo(0);
            makeAll(0);
            isRunning = false;
            callbacks = callback;
            callback = Integer.MAX_VALUE;
            for (int thread = 1; thread < program.threads.size(); thread++) {
                for (int spins = 0; made(thread) < program.threads.get(thread).size(); spins++) {
                    pause(spins);
                }
            }
            program.after.forEach(this::make);
            world.checkInvariants();
            return history;
        }

        private void callback() {
            if (Thread.currentThread() == first && isRunning) {
                releaseUpTo(callback + 1);
            }
            spin(spinsAtCallbacks);
        }

        /** Lets the others make what is to be made at this callback, and waits until it is made or waits itself. */
        private void releaseUpTo(int now) {
            callback = now;
            for (int thread = 1; thread < program.threads.size(); thread++) {
                int steps = 0;
                while (steps < program.threads.get(thread).size() && releases[thread][steps] <= now) {
                    steps++;
                }
                boolean isHeldBack = steps > 0 && releases[thread][steps - 1] > 0;
                for (int spins = 0; isHeldBack && made(thread) < steps && isRunnable(thread); spins++) {
                    pause(spins);
                }
            }
        }

        private boolean isRunnable(int thread) {
            return others[thread].getState() == Thread.State.RUNNABLE;
        }

        private int made(int thread) {
            return made.get(thread * STRIDE);
        }

        void makeAll(int thread) {
            List<LimiterStep> steps = program.threads.get(thread);
            for (int step = 0; step < steps.size(); step++) {
                for (int spins = 0; thread > 0 && callback < releases[thread][step]; spins++) {
                    pause(spins);
                }
                spin(spins[thread]);
                int[] finished = new int[program.threads.size()];
                for (int other = 0; other < finished.length; other++) {
                    finished[other] = made(other);
                }
                history.finished()[steps.get(step).number()] = finished;
                make(steps.get(step));
                made.set(thread * STRIDE, step + 1);
            }
        }

        private void make(LimiterStep step) {
            Object returned;
            try {
                returned = world.make(step);
            } catch (Throwable e) {
                returned = e;
            }
            history.returned()[step.number()] = returned;
        }
    }

    private static void spin(int spins) {
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }

    private static void pause(int spins) {
        if (spins % 64 == 63) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
