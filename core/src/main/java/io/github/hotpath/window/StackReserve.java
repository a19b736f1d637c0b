package io.github.hotpath.window;

/** A check that the current thread has stack left for a few nested calls. */
final class StackReserve {
    /*
     * A StackOverflowError can be thrown at any call that is not compiled into its caller, so also in the middle of a
     * change that takes several calls, such as ArrayDeque.poll, which clears a slot and then calls for the next index.
     * Where the steps of a change cannot be ordered so that each of them leaves a log that counts correctly, the change
     * is preceded by this check: it uses up more stack than the change will, and so the error is thrown here, while
     * nothing has been changed.
     *
     * A compiled frame of descend takes at least 32 bytes for two levels, an interpreted one some 100 bytes for one; the
     * changes that depend on this go three calls deep, which takes less than 1 KiB if all of them are interpreted.
     */
    private static final int DEPTH = 100;

    private StackReserve() {}

    /** Throws a {@link StackOverflowError} if less than about 1.5 KiB of stack is left. */
    static void check() {
        if (descend(DEPTH) != DEPTH) {
            throw new AssertionError();
        }
    }

    private static int descend(int depth) {
        return depth == 0 ? 0 : 1 + descend(depth - 1);
    }
}
