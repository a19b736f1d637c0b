package io.github.hotpath.examples.benchmarks;

import java.util.ArrayDeque;
import java.util.Deque;

/** A window made of what the JDK has: times in boxes, in a deque that loses its oldest events. */
final class DequeWindow implements Window {
    private final Deque<Long> times = new ArrayDeque<>();
    private final long intervalNanos;

    DequeWindow(long intervalNanos) {
        this.intervalNanos = intervalNanos;
    }

    @Override
    public long record(long nanos) {
        times.addLast(nanos);
        return count(nanos);
    }

    @Override
    public long count(long nanos) {
        Long oldest = times.peekFirst();
        while (oldest != null && nanos - oldest > intervalNanos) {
            times.removeFirst();
            oldest = times.peekFirst();
        }
        return times.size();
    }
}
