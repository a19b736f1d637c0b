package io.github.hotpath.limit;

import org.jspecify.annotations.Nullable;

/** What a call is made on, alone or with others: a gate, or a key, which may have one. */
abstract class Member {
    /** Returns the gate, if there is one. */
    @Nullable
    abstract Gate find();

    /** Returns a gate where there was none: known to other calls, too, unless the call only reads. */
    abstract Gate make(boolean onlyReads);
}
