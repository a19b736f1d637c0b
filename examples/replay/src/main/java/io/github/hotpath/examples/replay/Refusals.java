package io.github.hotpath.examples.replay;

import java.util.DoubleSummaryStatistics;

/** How often one candidate refuses one client, or all, and for how long. */
final class Refusals {
    /** How long to wait, in nanoseconds, unless for ever. */
    final DoubleSummaryStatistics waits = new DoubleSummaryStatistics();

    /** How many requests would be granted at no time: they are for more permits than the limit has. */
    long neverGranted;

    /** Counts a refusal, with the delay after which the request would be granted. */
    void add(long waitNanos) {
        if (waitNanos == Long.MAX_VALUE) {
            neverGranted++;
        } else {
            waits.accept(waitNanos);
        }
    }

    /** Counts those of a client. */
    void addAll(Refusals others) {
        waits.combine(others.waits);
        neverGranted += others.neverGranted;
    }

    long number() {
        return waits.getCount() + neverGranted;
    }
}
