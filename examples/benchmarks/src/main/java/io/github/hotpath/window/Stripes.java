package io.github.hotpath.window;

/** In the window's package, since its threads alone decide how many stripes it has, by how often they contend. */
public final class Stripes {
    private Stripes() {}

    /** Makes a window have so many stripes, and records so many events, {@code step} apart, in each of them. */
    public static void fill(ConcurrentEventWindow window, int stripes, int events, long step) {
        for (int i = 1; i < stripes; i++) {
            window.addStripe(window.newest);
        }
        for (Stripe stripe = window.newest; stripe != null; stripe = stripe.next) {
            for (int i = 1; i <= events; i++) {
                stripe.window.record(step * i);
            }
        }
    }
}
