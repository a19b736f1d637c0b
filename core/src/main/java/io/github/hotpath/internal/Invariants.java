package io.github.hotpath.internal;

/** Checks of a class's own state: each {@code checkInvariants} throws if one does not hold, and is called by tests. */
public final class Invariants {
    private Invariants() {}

    /** Throws if an invariant does not hold. */
    public static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
