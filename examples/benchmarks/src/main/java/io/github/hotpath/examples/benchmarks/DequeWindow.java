package io.github.hotpath.examples.benchmarks;

import java.util.ArrayDeque;
import java.util.Deque;

/** A window made of what the JDK has: times in boxes, in a deque. */
abstract class DequeWindow implements Window {
    final Deque<Long> times = new ArrayDeque<>();
    final long intervalNanos;

    private DequeWindow(long intervalNanos) {
        this.intervalNanos = intervalNanos;
    }

    @Override
    public final long record(long nanos) {
        times.addLast(nanos);
        return count(nanos);
    }

    /** Looks at its oldest events only, up to the first that has not expired. */
    static final class Trimmed extends DequeWindow {
        Trimmed(long intervalNanos) {
            super(intervalNanos);
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

    /** Looks at each of its events every time. */
    static final class Swept extends DequeWindow {
        Swept(long intervalNanos) {
            super(intervalNanos);
        }

        @Override
        public long count(long nanos) {
            times.removeIf(time -> nanos - time > intervalNanos);
            return times.size();
        }
    }
}
