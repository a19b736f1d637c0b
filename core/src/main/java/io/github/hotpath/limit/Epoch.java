package io.github.hotpath.limit;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The time from one {@link KeyedLimiter#clear} to the next. All reservations made in it end with it. */
final class Epoch {
    /*
     * A reservation refers to this and not to the map of its key, since it may be kept for long after that is cleared.
     */

    /** Of a reservation that was refused: it never was current. */
    static final Epoch OVER = new Epoch(() -> null);

    private final Supplier<@Nullable Epoch> current;

    Epoch(Supplier<@Nullable Epoch> current) {
        this.current = current;
    }

    boolean isCurrent() {
        return current.get() == this;
    }
}
