package io.github.hotpath.window;

import io.github.hotpath.internal.StripeLock;

/**
 * What each record in a {@link Stripe} reads and only one in a thousand writes. HotSpot places the fields of a
 * superclass in front: see there.
 */
abstract class StripeLease extends StripeLock {
    /** The chunk of a stripe without a lease: it has no room. */
    static final long[] NONE = {};

    /** During a lease it does not know of the last events, nor of those that have expired since. */
    final EventWindow window;

    /** The last chunk of the window's log, during a lease. */
    long[] leased = NONE;

    /** The last time at which to append before the lease has to be renewed, so that expired events are soon evicted. */
    long deadline;

    StripeLease(EventWindow window) {
        this.window = window;
    }
}
