package io.github.hotpath.internal;

/** A check that the current thread has stack left for some nested calls. Not exported. */
public final class StackReserve {
    /*
     * A StackOverflowError can be thrown at any call, so also in the middle of a change that takes several, such as
     * ArrayDeque.poll, which clears a slot and then calls for the next index. Where the steps of a change cannot be
     * ordered so that each leaves what counts correctly, this check precedes them: it uses up more stack than they
     * will, so the error is thrown here, while nothing has been changed.
     *
     * A frame of descend is large, since all arguments live across the call: 81 bytes for a compiled level, 227 for an
     * interpreted one. The changes of a log go three calls deep, less than 1 KiB if all are interpreted; one of a
     * ConcurrentHashMap some eight, less than 2 KiB.
     */
    private static final int DEPTH = 20;

    private static final int DEPTH_FOR_MAP = 50;

    private StackReserve() {}

    /** Throws a {@link StackOverflowError} if less than about 1.5 KiB of stack is left. */
    public static void check() {
        check(DEPTH);
    }

    /** Throws a {@link StackOverflowError} if less than about 4 KiB of stack is left. */
    public static void checkForMap() {
        check(DEPTH_FOR_MAP);
    }

    private static void check(int depth) {
        if (descend(depth, 1, 2, 3, 4, 5, 6, 7, 8) == 0) {
            throw new AssertionError();
        }
    }

    private static long descend(int depth, long a, long b, long c, long d, long e, long f, long g, long h) {
        return depth == 0 ? 1 : descend(depth - 1, b, c, d, e, f, g, h, a) | a | b | c | d | e | f | g | h;
    }
}
