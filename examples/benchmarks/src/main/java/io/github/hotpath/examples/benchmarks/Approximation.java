package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.BoundedEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongFunction;

/** A counter to which the time is passed: those that use little memory, and an exact one beside them. */
public enum Approximation {
    /** Bounds, at most 1% of the count apart. */
    BOUNDED_EVENT_WINDOW("BoundedEventWindow, 1%", interval -> new Bounded(interval, 0.01)),

    /** The same, at most 0.1% apart. */
    BOUNDED_EVENT_WINDOW_TENTH("BoundedEventWindow, 0.1%", interval -> new Bounded(interval, 0.001)),

    /** The time of each event. */
    EVENT_WINDOW("EventWindow", Exact::new) {
        @Override
        Optional<String> whyNot(long events) {
            return events > Integer.MAX_VALUE
                    ? Optional.of("more events than any heap holds")
                    : ExactWindow.EVENT_WINDOW.whyNot((int) events);
        }
    },

    /** A number for each tenth of the interval, as Hystrix has by default. */
    TEN_BUCKETS("ten buckets", TenBuckets::new),

    /** A number for this interval and one for the last, of which a share is taken. */
    TWO_COUNTERS("two counters, interpolated", TwoCounters::new);

    private final String title;
    private final LongFunction<Answers> factory;

    Approximation(String title, LongFunction<Answers> factory) {
        this.title = title;
        this.factory = factory;
    }

    Answers create(long intervalNanos) {
        return factory.apply(intervalNanos);
    }

    /** Says why so many events are not tried, if so. */
    Optional<String> whyNot(long events) {
        return Optional.empty();
    }

    /** Returns its name in tables and charts. */
    @Override
    public String toString() {
        return title;
    }

    /** A counter whose answer is two numbers, which are equal if it has only one. */
    interface Answers {
        void record(long nanos);

        long atLeast(long nanos);

        long atMost(long nanos);
    }

    private static final class Bounded implements Answers {
        private final BoundedEventWindow window;

        Bounded(long intervalNanos, double error) {
            window = BoundedEventWindow.of(Duration.ofNanos(intervalNanos), error);
        }

        @Override
        public void record(long nanos) {
            window.record(nanos);
        }

        @Override
        public long atLeast(long nanos) {
            return window.countAtLeast(nanos);
        }

        @Override
        public long atMost(long nanos) {
            return window.countAtMost(nanos);
        }
    }

    /** A counter with one answer. */
    abstract static class OneAnswer implements Answers {
        abstract long count(long nanos);

        @Override
        public final long atLeast(long nanos) {
            return count(nanos);
        }

        @Override
        public final long atMost(long nanos) {
            return count(nanos);
        }
    }

    private static final class Exact extends OneAnswer {
        private final EventWindow window;

        Exact(long intervalNanos) {
            window = EventWindow.of(Duration.ofNanos(intervalNanos));
        }

        @Override
        public void record(long nanos) {
            window.record(nanos);
        }

        @Override
        long count(long nanos) {
            return window.count(nanos);
        }
    }

    /** Counts the bucket that the time is in and the nine before it, for times from 0 on that do not go back. */
    private static final class TenBuckets extends OneAnswer {
        private static final int BUCKETS = 10;

        private final long[] counts = new long[BUCKETS];
        private final long bucketNanos;
        private long newest;

        TenBuckets(long intervalNanos) {
            bucketNanos = Math.max(1, intervalNanos / BUCKETS);
        }

        @Override
        public void record(long nanos) {
            advance(nanos);
            counts[(int) (newest % BUCKETS)]++;
        }

        @Override
        long count(long nanos) {
            advance(nanos);
            long sum = 0;
            for (long count : counts) {
                sum += count;
            }
            return sum;
        }

        private void advance(long nanos) {
            long bucket = nanos / bucketNanos;
            for (long next = Math.max(newest + 1, bucket - BUCKETS + 1); next <= bucket; next++) {
                counts[(int) (next % BUCKETS)] = 0;
            }
            newest = bucket;
        }
    }

    /** Takes the events of the last interval for evenly spread, for times from 0 on that do not go back. */
    private static final class TwoCounters extends OneAnswer {
        private final long intervalNanos;
        private long newest;
        private long previous;
        private long current;

        TwoCounters(long intervalNanos) {
            this.intervalNanos = intervalNanos;
        }

        @Override
        public void record(long nanos) {
            advance(nanos);
            current++;
        }

        @Override
        long count(long nanos) {
            advance(nanos);
            double share = 1 - (double) (nanos % intervalNanos) / intervalNanos;
            return Math.round(previous * share) + current;
        }

        private void advance(long nanos) {
            long interval = nanos / intervalNanos;
            if (interval > newest) {
                previous = interval == newest + 1 ? current : 0;
                current = 0;
                newest = interval;
            }
        }
    }
}
