package io.github.hotpath.limit;

import java.util.function.Supplier;

/** The time from one {@link KeyedLimiter#clear} to the next. All reservations made in it end with it. */
final class Epoch {
    /*
     * A reservation refers to this and not to the map of its key, since it may be kept for long after that is cleared.
     */

    /** Of what is not made for a key. */
    static final Epoch ENDLESS = new Epoch(() -> Epoch.ENDLESS);

    private final Supplier<Epoch> current;

    Epoch(Supplier<Epoch> current) {
        this.current = current;
    }

    boolean isCurrent() {
        return current.get() == this;
    }
}
