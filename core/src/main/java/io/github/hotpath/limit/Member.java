package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** What takes part in a call: a gate, or a key, whose gate is looked up for each call. */
abstract class Member {
    /** Returns the gate that decides at this moment, if there is one. */
    abstract @Nullable Gate find();

    /**
     * Returns a gate for a member that had none: of a key, a new entry. It is added to the map, unless the call only
     * reads, or another one is found there.
     */
    abstract Gate findOrMake(boolean onlyReads);
}
