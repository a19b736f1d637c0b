package io.github.hotpath.window;

import java.time.Duration;

/** The calls that {@link EventWindow} and {@link ConcurrentEventWindow} share. */
interface AnyWindow {
    void record(long nanos);

    boolean tryRecord(long nanos, int limit);

    long count(long nanos);

    long nanosUntilBelow(long nanos, int limit);

    void trim(long nanos);

    long[] toArray();

    void clear();

    void checkInvariants();

    static AnyWindow of(boolean concurrent, long interval) {
        Duration duration = Duration.ofNanos(interval);
        return concurrent ? new Concurrent(ConcurrentEventWindow.of(duration)) : new Single(EventWindow.of(duration));
    }

    /** A window for one thread at a time. */
    record Single(EventWindow window) implements AnyWindow {
        @Override
        public void record(long nanos) {
            window.record(nanos);
        }

        @Override
        public boolean tryRecord(long nanos, int limit) {
            return window.tryRecord(nanos, limit);
        }

        @Override
        public long count(long nanos) {
            return window.count(nanos);
        }

        @Override
        public long nanosUntilBelow(long nanos, int limit) {
            return window.nanosUntilBelow(nanos, limit);
        }

        @Override
        public void trim(long nanos) {
            window.trim(nanos);
        }

        @Override
        public long[] toArray() {
            return window.toArray();
        }

        @Override
        public void clear() {
            window.clear();
        }

        @Override
        public void checkInvariants() {
            Invariants.check(window);
        }
    }

    /** A window for any number of threads. */
    record Concurrent(ConcurrentEventWindow window) implements AnyWindow {
        @Override
        public void record(long nanos) {
            window.record(nanos);
        }

        @Override
        public boolean tryRecord(long nanos, int limit) {
            return window.tryRecord(nanos, limit);
        }

        @Override
        public long count(long nanos) {
            return window.count(nanos);
        }

        @Override
        public long nanosUntilBelow(long nanos, int limit) {
            return window.nanosUntilBelow(nanos, limit);
        }

        @Override
        public void trim(long nanos) {
            window.trim(nanos);
        }

        @Override
        public long[] toArray() {
            return window.toArray();
        }

        @Override
        public void clear() {
            window.clear();
        }

        @Override
        public void checkInvariants() {
            Invariants.check(window);
        }
    }
}
