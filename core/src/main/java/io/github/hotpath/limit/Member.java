package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** What a {@link Transaction} is made on: a {@link Gate}, or a key, whose gate is looked up. */
abstract class Member {
    /** Returns the gate, or {@code null} if the key has none. */
    abstract @Nullable Gate find();

    /** Returns the gate, and adds a fresh one for a key without. No lock is held. */
    abstract Gate findOrAdd();

    /** Asks for the limits of a fresh gate, unless they are known. No lock is held. */
    void ask(Gate gate) {}

    /** Called with no lock held after a transaction on the gate. */
    void finish(Gate gate, long nanos, boolean isChanged, boolean isRevocable) {}
}
