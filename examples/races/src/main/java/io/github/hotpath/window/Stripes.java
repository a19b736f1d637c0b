package io.github.hotpath.window;

/**
 * Stripes without contention: a window adds them, and moves a thread to another one, only after threads have contended
 * for a while, which no race of a few calls does. In the package of the window, whose calls these are.
 */
public final class Stripes {
    private Stripes() {}

    /** Adds to {@code window} as many stripes as it may have. */
    public static void addAll(ConcurrentEventWindow window) {
        while (window.newest.index < ConcurrentEventWindow.MAX_STRIPES) {
            move(window);
        }
    }

    /** Lets the current thread record in another stripe from now on: a new one, as long as there may be more. */
    public static void move(ConcurrentEventWindow window) {
        if (window.newest.index < ConcurrentEventWindow.MAX_STRIPES) {
            window.addStripe(window.newest);
        }
        Stripe another = window.lockAnother(window.stripe());
        if (another != null) {
            another.unlock();
        }
    }
}
