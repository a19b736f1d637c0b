package io.github.hotpath.window;

/**
 * Stripes without contention: a window adds them, and moves a thread to another one, only after threads have contended
 * for a while, which no race of a few calls does. In the package of the window, whose calls these are.
 */
public final class Stripes {
    private Stripes() {}

    /**
     * Adds to {@code window} as many stripes as it may have, and records an event at {@code nanos} in each: the first
     * event of a stripe is recorded with all of them locked.
     */
    public static void addAll(ConcurrentEventWindow window, long nanos) {
        for (int i = 0; i < StripeTable.MAX_STRIPES; i++) {
            move(window);
        }
        for (int i = 0; i <= StripeTable.MAX_STRIPES; i++) {
            window.record(nanos);
            move(window);
        }
    }

    /** Lets the current thread record in another stripe from now on. */
    public static void move(ConcurrentEventWindow window) {
        window.separate(window.stripe());
    }
}
