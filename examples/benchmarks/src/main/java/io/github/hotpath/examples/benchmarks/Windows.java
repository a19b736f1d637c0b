package io.github.hotpath.examples.benchmarks;

import com.codahale.metrics.Clock;
import com.codahale.metrics.SlidingTimeWindowArrayReservoir;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Windows that keep the time of each event, to which times are passed. */
final class Windows {
    private Windows() {}

    /** What is called; {@code measured} is what is kept in memory. */
    interface Window {
        void record(long nanos);

        long count(long nanos);

        Object measured();
    }

    static Window of(String name, long intervalNanos) {
        Duration interval = Duration.ofNanos(intervalNanos);
        return switch (name) {
            case "EventWindow" -> new OfEventWindow(EventWindow.of(interval));
            case "ConcurrentEventWindow" -> new OfConcurrentEventWindow(ConcurrentEventWindow.of(interval));
            case "ArrayDeque, trimmed" -> new OfDeque(new ArrayDeque<>(), intervalNanos);
            case "Dropwizard, array" -> new OfReservoir(intervalNanos);
            default -> throw new IllegalArgumentException("name: " + name);
        };
    }

    /** Returns a window of as many events, {@code step} nanoseconds apart from 0 on. */
    static Window filled(String name, int events, long step, long intervalNanos) {
        Window window = of(name, intervalNanos);
        for (int i = 0; i < events; i++) {
            window.record(step * i);
        }
        return window;
    }

    private record OfEventWindow(EventWindow measured) implements Window {
        @Override
        public void record(long nanos) {
            measured.record(nanos);
        }

        @Override
        public long count(long nanos) {
            return measured.count(nanos);
        }
    }

    private record OfConcurrentEventWindow(ConcurrentEventWindow measured) implements Window {
        @Override
        public void record(long nanos) {
            measured.record(nanos);
        }

        @Override
        public long count(long nanos) {
            return measured.count(nanos);
        }
    }

    private record OfDeque(Deque<Long> measured, long intervalNanos) implements Window {
        @Override
        public void record(long nanos) {
            measured.addLast(nanos);
            count(nanos);
        }

        @Override
        public long count(long nanos) {
            while (!measured.isEmpty() && nanos - measured.peekFirst() > intervalNanos) {
                measured.removeFirst();
            }
            return measured.size();
        }
    }

    /** Dropwizard's, whose clock is set to the time passed. */
    private static final class OfReservoir extends Clock implements Window {
        private final SlidingTimeWindowArrayReservoir reservoir;
        private long nanos;

        OfReservoir(long intervalNanos) {
            reservoir = new SlidingTimeWindowArrayReservoir(intervalNanos, TimeUnit.NANOSECONDS, this);
        }

        @Override
        public void record(long now) {
            nanos = now;
            reservoir.update(1);
        }

        @Override
        public long count(long now) {
            nanos = now;
            return reservoir.size();
        }

        @Override
        public Object measured() {
            return reservoir;
        }

        @Override
        public long getTick() {
            return nanos;
        }
    }
}
