package io.github.hotpath.examples.article;

import java.util.ArrayDeque;
import java.util.Deque;

/** A window that reads its oldest events only, up to the first that has not expired. */
final class TrimmedWindow implements Window {
    private final Deque<Long> times = new ArrayDeque<>();

    @Override
    public long record(long nanos) {
        times.addLast(nanos);
        while (nanos - times.getFirst() > INTERVAL_NANOS) { // ends at the event just added
            times.removeFirst();
        }
        return times.size();
    }
}
