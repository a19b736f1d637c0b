package io.github.hotpath.examples.benchmarks;

import com.alibaba.csp.sentinel.slots.statistic.metric.ArrayMetric;
import com.alibaba.csp.sentinel.util.TimeUtil;
import com.codahale.metrics.SlidingTimeWindowArrayReservoir;
import com.netflix.hystrix.util.HystrixRollingNumber;
import com.netflix.hystrix.util.HystrixRollingNumberEvent;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import io.github.resilience4j.core.metrics.Metrics.Outcome;
import io.github.resilience4j.core.metrics.SlidingTimeWindowMetrics;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.util.statistic.RateStatistic;

/**
 * A counter of the latest events that many threads share, used as its documentation says, with the real clock. Exact
 * are those that know the time of each event; they count the last millisecond, which is thousands to tens of thousands
 * of events here. The others count by buckets, as many as by their own default, but shorter ones where they can be, so
 * that all of them are there when the measuring begins.
 */
public enum Counter {
    /** No counter: {@code System.nanoTime()}, the least that any of them can cost that reads it. */
    CLOCK("System.nanoTime() alone") {
        @Override
        Calls create() {
            return new Calls(System::nanoTime, System::nanoTime);
        }
    },
    /** Exact; to the nanosecond; allocates nothing in steady traffic. */
    CONCURRENT_EVENT_WINDOW("ConcurrentEventWindow") {
        @Override
        Calls create() {
            ConcurrentEventWindow window = ConcurrentEventWindow.of(INTERVAL);
            return new Calls(
                    () -> {
                        long nanos = System.nanoTime();
                        window.record(nanos);
                        return nanos;
                    },
                    () -> window.recordAndCount(System.nanoTime()));
        }
    },
    /** {@code EventWindow} under a lock. Exact; to the nanosecond; allocates nothing in steady traffic. */
    LOCKED_EVENT_WINDOW("EventWindow, locked") {
        @Override
        Calls create() {
            EventWindow window = EventWindow.of(INTERVAL);
            LongSupplier record = () -> {
                synchronized (window) {
                    return window.record(System.nanoTime());
                }
            };
            return new Calls(record, record);
        }
    },
    /** Exact but for the edge; to the nanosecond; allocates nothing in steady traffic, 32 bytes for a count. */
    DROPWIZARD_ARRAY("Dropwizard, array") {
        @Override
        Calls create() {
            SlidingTimeWindowArrayReservoir reservoir =
                    new SlidingTimeWindowArrayReservoir(INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
            return new Calls(() -> reservoir.update(1), reservoir::size);
        }
    },
    /** {@code RateStatistic}. Exact; to the nanosecond; allocates a box for each event. */
    JETTY("Jetty") {
        @Override
        Calls create() {
            RateStatistic statistic = new RateStatistic(INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
            return new Calls(statistic::record, statistic::record);
        }
    },
    /**
     * {@code HystrixRollingNumber}. By ten buckets; allocates each bucket as it begins, and a list of them for each
     * count.
     */
    HYSTRIX("Hystrix (buckets)") {
        @Override
        Calls create() {
            HystrixRollingNumber number = new HystrixRollingNumber(100, 10);
            return new Calls(
                    () -> number.increment(HystrixRollingNumberEvent.SUCCESS),
                    () -> number.getRollingSum(HystrixRollingNumberEvent.SUCCESS));
        }
    },
    /**
     * {@code ArrayMetric}. By two buckets; under load it reads a clock that a thread of its own moves; allocates a list
     * of the buckets for each count.
     */
    SENTINEL("Sentinel (buckets)") {
        @Override
        Calls create() {
            SentinelLog.redirect();
            awaitCheapClock();
            ArrayMetric metric = new ArrayMetric(2, 100);
            return new Calls(() -> metric.addPass(1), metric::pass);
        }

        /** Until there have been three seconds of load, each call reads the system's clock, and counts that it did. */
        private static void awaitCheapClock() {
            while (TimeUtil.instance().getState() != TimeUtil.STATE.RUNNING) {
                TimeUtil.currentTimeMillis();
            }
        }
    },
    /**
     * {@code SlidingTimeWindowMetrics}. By ten buckets of a second each; makes a snapshot at each record, which the
     * compiler need not allocate where it is not kept.
     */
    RESILIENCE4J("Resilience4j (buckets)") {
        @Override
        Calls create() {
            SlidingTimeWindowMetrics metrics = new SlidingTimeWindowMetrics(10, Clock.systemUTC());
            LongSupplier record = () ->
                    metrics.record(1, TimeUnit.MILLISECONDS, Outcome.SUCCESS).getTotalNumberOfCalls();
            return new Calls(record, record);
        }
    };

    private static final Duration INTERVAL = Duration.ofMillis(1);

    private final String title;

    Counter(String title) {
        this.title = title;
    }

    /** Returns what calls a new one. */
    abstract Calls create();

    /** Returns its name in tables and charts. */
    @Override
    public String toString() {
        return title;
    }

    /** To record an event, and to record one and count them; each returns something that depends on what it did. */
    record Calls(LongSupplier record, LongSupplier recordAndCount) {
        /** For a counter that does not count as it records. */
        Calls(Runnable record, LongSupplier count) {
            this(
                    () -> {
                        record.run();
                        return 0;
                    },
                    () -> {
                        record.run();
                        return count.getAsLong();
                    });
        }
    }
}
