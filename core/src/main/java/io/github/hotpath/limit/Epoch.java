package io.github.hotpath.limit;

import java.util.function.Supplier;

/** The time from one {@link KeyedLimiter#clear} to the next. All entries of keys that are made in it end with it. */
final class Epoch {
    /*
     * An entry refers to this and not to its map, since a reservation refers to the entry, and may be kept for long
     * after the map is cleared.
     */

    final EvictionTime evictionTime = new EvictionTime();
    private final Supplier<Epoch> current;

    Epoch(Supplier<Epoch> current) {
        this.current = current;
    }

    boolean isCurrent() {
        return current.get() == this;
    }
}
