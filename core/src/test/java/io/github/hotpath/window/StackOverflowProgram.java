package io.github.hotpath.window;

import io.github.hotpath.window.ErrorCalls.Mix;
import java.util.SplittableRandom;

/**
 * Calls windows in threads whose stacks overflow, at each depth from the deepest up to where every call has room, so
 * that each call is cut off at each place where it can be; and sees after each overflow whether the window is still
 * right. Ends with a status other than 0 if not, and if a call does not return.
 */
final class StackOverflowProgram {
    /** About the least that a thread can be given. */
    private static final long STACK = 160 << 10;

    /** Frames whose calls have all returned, one after the other: then there is room, and no more calls are made. */
    private static final int ENOUGH = 4;

    /** As many of the deepest frames make calls, and of those above every fourth. */
    private static final int EACH = 8;

    private static final int CALLS = 3;
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
        ErrorAudit.run(() -> audit.run(true, fill), "before: " + situation);
        for (int round = 0; round < rounds; round++) {
            String doing = situation + ", round " + round;
            overflow(all, doing);
            boolean clear = threads > 1 || round % 16 == 15;
            ErrorAudit.run(() -> audit.run(clear, clear ? fill : 0), "audit: " + doing);
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
            await(thread, "contend");
        }
        window.clear();
    }

    private static void await(Thread thread, String doing) {
        if (!ErrorAudit.ends(thread)) {
            ErrorAudit.endHanging(doing);
        }
    }

    private void overflow(ErrorCalls[] all, String doing) {
        Diver[] divers = new Diver[all.length];
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < threads.length; i++) {
            divers[i] = new Diver(all[i], random.nextInt());
            threads[i] = new Thread(null, divers[i], doing, STACK);
            threads[i].start();
        }
        for (int i = 0; i < threads.length; i++) {
            await(threads[i], doing);
            overflows += divers[i].overflows;
        }
    }

    /** Recurses to the bottom of the stack, and makes calls on the way back as long as they overflow. */
    private static final class Diver implements Runnable {
        /**
         * Frames of several sizes, so that the stack ends at any place in the last one. Large ones, because each error
         * lists them all; and called through an interface, because HotSpot would make one frame of several.
         */
        private static final Frame[] FRAMES = {Diver::dive, Diver::diveWide, Diver::diveWider, Diver::diveWidest};

        private interface Frame {
            void dive(Diver diver);
        }

        private final ErrorCalls calls;
        private int shape;
        private int roomy = ENOUGH;

        /** Frames between this one and the deepest. */
        private int height;

        private int overflows;
        private long some;

        Diver(ErrorCalls calls, int shape) {
            this.calls = calls;
            this.shape = shape;
        }

        @Override
        public void run() {
            try {
                dive();
            } catch (StackOverflowError e) {
                // thrown by a handler below, where there was not even room for that
            }
        }

        private void dive() {
            try {
                shape = shape >>> 2 | shape << 30;
                FRAMES[shape & 3].dive(this);
            } catch (StackOverflowError bottom) {
                roomy = 0;
                height = 0;
            }
            height++;
            if (roomy < ENOUGH && (height <= EACH || (shape & 12) == 0)) {
                int before = overflows;
                for (int i = 0; i < CALLS; i++) {
                    try {
                        calls.make();
                    } catch (StackOverflowError e) {
                        overflows++; // and no call, which might throw as well
                    } catch (Throwable unexpected) {
                        calls.fail(unexpected);
                    }
                }
                roomy = overflows == before ? roomy + 1 : 0;
            }
        }

        private void diveWide() {
            long a = some + 1;
            long b = a * 3;
            long c = b ^ a;
            dive();
            some = a + b + c;
        }

        private void diveWider() {
            long a = some + 1;
            long b = a * 3;
            long c = b ^ a;
            long d = c * 3;
            long e = d ^ b;
            long f = e * 3;
            long g = f ^ c;
            long h = g * 3;
            dive();
            some = a + b + c + d + e + f + g + h;
        }

        private void diveWidest() {
            long a = some + 1;
            long b = a * 3;
            long c = b ^ a;
            long d = c * 3;
            long e = d ^ b;
            long f = e * 3;
            long g = f ^ c;
            long h = g * 3;
            long i = h ^ d;
            long j = i * 3;
            long k = j ^ e;
            long l = k * 3;
            long m = l ^ f;
            long n = m * 3;
            dive();
            some = a + b + c + d + e + f + g + h + i + j + k + l + m + n;
        }
    }
}
