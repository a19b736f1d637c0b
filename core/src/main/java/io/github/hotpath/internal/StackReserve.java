package io.github.hotpath.internal;

/** A check that the current thread has stack left for some nested calls. Not exported. */
public final class StackReserve {
    /*
     * A StackOverflowError can be thrown at any call that is not compiled into its caller, so also in the middle of a
     * change that takes several calls, such as ArrayDeque.poll, which clears a slot and then calls for the next index.
     * Where the steps of a change cannot be ordered so that each of them leaves a log that counts correctly, the change
     * is preceded by this check: it uses up more stack than the change will, and so the error is thrown here, while
     * nothing has been changed.
     *
     * A compiled frame of descend takes at least 32 bytes for two levels, an interpreted one some 100 bytes for one; the
     * changes of a log that depend on this go three calls deep, which takes less than 1 KiB if all of them are
     * interpreted. A change of a ConcurrentHashMap goes some ten calls deep, with the calls that it makes.
     */
    private static final int DEPTH = 100;

    private static final int DEPTH_FOR_MAP = 5 * DEPTH;

    private StackReserve() {}

    /** Throws a {@link StackOverflowError} if less than about 1.5 KiB of stack is left. */
    public static void check() {
        check(DEPTH);
    }

    /** Throws a {@link StackOverflowError} if less than about 7.5 KiB of stack is left. */
    public static void checkForMap() {
        check(DEPTH_FOR_MAP);
    }

    private static void check(int depth) {
        if (descend(depth) != depth) {
            throw new AssertionError();
        }
    }

    private static int descend(int depth) {
        return depth == 0 ? 0 : 1 + descend(depth - 1);
    }
}
