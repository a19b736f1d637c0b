package io.github.hotpath.window;

import io.github.hotpath.testing.Watchdog;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A thread whose stack overflows: it recurses to the bottom, and makes calls on the way back as long as they overflow,
 * so that each call is cut off at each place where it can be.
 */
final class StackDiver implements Runnable {
    /** About the least stack that a thread can have. */
    private static final long STACK = 160 << 10;

    /** Frames whose calls have all returned, one after the other: then there is room, and no more calls are made. */
    private static final int ENOUGH = 4;

    /** As many of the deepest frames make calls, and of those above every fourth. */
    private static final int EACH = 8;

    private static final int CALLS = 3;

    /**
     * Frames of two sizes, so that the stack ends at any place in the last one. Large ones, because each error lists
     * them all; and called through an interface, because HotSpot would make one frame of several.
     */
    private static final Frame[] FRAMES = {StackDiver::dive, StackDiver::diveWide};

    private interface Frame {
        void dive(StackDiver diver);
    }

    private final ErrorCalls calls;
    private int shape;
    private int roomy = ENOUGH;

    /** Frames between this one and the deepest. */
    private int height;

    private int overflows;
    private long some;

    private StackDiver(ErrorCalls calls, int shape) {
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
            shape = Integer.rotateRight(shape, 1);
            FRAMES[shape & 1].dive(this);
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

    /** Overflows a stack for each of these, all at once, and returns how many calls were cut off. */
    static int overflow(ErrorCalls[] all, SplittableRandom random, String doing) {
        StackDiver[] divers = new StackDiver[all.length];
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < threads.length; i++) {
            divers[i] = new StackDiver(all[i], random.nextInt());
            threads[i] = new Thread(null, divers[i], doing, STACK);
            threads[i].start();
        }
        if (!Watchdog.end(threads)) {
            Watchdog.endHanging(doing);
        }
        return Stream.of(divers).mapToInt(diver -> diver.overflows).sum();
    }
}
