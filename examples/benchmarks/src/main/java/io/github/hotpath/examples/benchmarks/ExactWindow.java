package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.Optional;

/** A window that stores the time of each event in it, so that its counts are exact. */
public enum ExactWindow {
    /** Not thread-safe; to the nanosecond; allocates nothing in steady traffic. */
    EVENT_WINDOW("EventWindow", 8, (interval, events) -> new OfEventWindow(EventWindow.of(Duration.ofNanos(interval)))),

    /** Thread-safe; to the nanosecond; allocates nothing in steady traffic; does not count at each record. */
    CONCURRENT_EVENT_WINDOW(
            "ConcurrentEventWindow",
            8,
            (interval, events) -> new OfConcurrentEventWindow(ConcurrentEventWindow.of(Duration.ofNanos(interval)))),

    /** An {@code ArrayDeque<Long>} that loses its oldest events: not thread-safe; allocates a box for each event. */
    TRIMMED_DEQUE("ArrayDeque, trimmed", 28, (interval, events) -> new DequeWindow(interval)),

    /**
     * Thread-safe; to the nanosecond, but an event exactly as old as the interval is in or out by chance, and each
     * reading moves the time on; keeps a value beside each time, and 128 chunks for reuse; does not count at each
     * record.
     */
    DROPWIZARD_ARRAY("Dropwizard, array", 16, (interval, events) -> ReservoirWindow.ofArray(interval));

    private final String title;

    /** About how much an event takes, to tell beforehand how many fit into the heap. */
    private final int bytesPerEvent;

    private final Factory factory;

    ExactWindow(String title, int bytesPerEvent, Factory factory) {
        this.title = title;
        this.bytesPerEvent = bytesPerEvent;
        this.factory = factory;
    }

    /** Returns an empty window in which {@code events} will be kept. */
    Window create(long intervalNanos, int events) {
        return factory.create(intervalNanos, events);
    }

    /** Returns a window of as many events, {@code step} nanoseconds apart from 0 on. */
    Window filled(int events, long step, long intervalNanos) {
        whyNot(events).ifPresent(reason -> {
            throw new IllegalStateException(this + " with " + events + " events: " + reason);
        });
        Window window = create(intervalNanos, events);
        for (int i = 0; i < events; i++) {
            window.record(step * i);
        }
        return window;
    }

    /** Says why so many events are not tried, if so: the heap has to be half as large again as they are. */
    Optional<String> whyNot(int events) {
        long needed = bytesPerEvent * (long) events * 3 / 2;
        long heap = Runtime.getRuntime().maxMemory();
        return needed > heap
                ? Optional.of("wants a heap of " + (needed >> 20) + " MiB and has " + (heap >> 20))
                : Optional.empty();
    }

    /** Returns its name in tables and charts. */
    @Override
    public String toString() {
        return title;
    }

    private interface Factory {
        Window create(long intervalNanos, int events);
    }

    private record OfEventWindow(EventWindow window) implements Window {
        @Override
        public long record(long nanos) {
            return window.record(nanos);
        }

        @Override
        public long count(long nanos) {
            return window.count(nanos);
        }

        @Override
        public Object adapted() {
            return window;
        }
    }

    private record OfConcurrentEventWindow(ConcurrentEventWindow window) implements Window {
        @Override
        public long record(long nanos) {
            window.record(nanos);
            return nanos;
        }

        @Override
        public long count(long nanos) {
            return window.count(nanos);
        }

        @Override
        public Object adapted() {
            return window;
        }
    }
}
