package io.github.hotpath.examples.benchmarks;

import com.alibaba.csp.sentinel.slots.statistic.metric.ArrayMetric;
import com.alibaba.csp.sentinel.util.TimeUtil;
import com.codahale.metrics.Meter;
import com.codahale.metrics.SlidingTimeWindowArrayReservoir;
import com.netflix.hystrix.util.HystrixRollingNumber;
import com.netflix.hystrix.util.HystrixRollingNumberEvent;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import io.github.resilience4j.core.metrics.Metrics.Outcome;
import io.github.resilience4j.core.metrics.SlidingTimeWindowMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.CountingMode;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.commons.io.FileUtils;
import org.eclipse.jetty.util.statistic.RateStatistic;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A counter of the latest events that threads share, as its documentation says, with the real clock. Those that know
 * the time of each event count the last millisecond, which is tens of thousands of events here. The others count by
 * buckets: as many as by their own default, but shorter where they can be, so that all are there when measuring begins.
 */
public class SharedCounterBenchmark extends CallBenchmark {
    private static final Duration INTERVAL = Duration.ofMillis(1);

    @Param({
        "the clock alone",
        "ConcurrentEventWindow",
        "EventWindow, locked",
        "LongAdder, and a clock",
        "Dropwizard, array",
        "Dropwizard, Meter",
        "Micrometer (steps)",
        "Jetty",
        "Hystrix (buckets)",
        "Sentinel (buckets)",
        "Resilience4j (buckets)"
    })
    public String counter;

    private static final SimpleConfig STEPS = new SimpleConfig() {
        @Override
        public String get(String key) {
            return null;
        }

        @Override
        public CountingMode mode() {
            return CountingMode.STEP;
        }
    };

    private Calls calls;

    @Setup
    public void create() throws IOException {
        calls = switch (counter) {
            case "the clock alone" -> new Calls(System::nanoTime);
            case "ConcurrentEventWindow" -> ofConcurrentEventWindow(ConcurrentEventWindow.of(INTERVAL));
            case "EventWindow, locked" -> ofLocked(EventWindow.of(INTERVAL));
            case "Dropwizard, array" ->
                ofReservoir(new SlidingTimeWindowArrayReservoir(INTERVAL.toNanos(), TimeUnit.NANOSECONDS));
            case "LongAdder, and a clock" -> ofLongAdder(new LongAdder());
            case "Dropwizard, Meter" -> ofMeter(new Meter());
            case "Micrometer (steps)" ->
                ofCounter(new SimpleMeterRegistry(STEPS, io.micrometer.core.instrument.Clock.SYSTEM).counter("calls"));
            case "Jetty" -> new Calls(new RateStatistic(INTERVAL.toNanos(), TimeUnit.NANOSECONDS)::record);
            case "Hystrix (buckets)" -> ofHystrix(new HystrixRollingNumber(100, 10));
            case "Sentinel (buckets)" -> ofSentinel();
            case "Resilience4j (buckets)" -> ofResilience4j(new SlidingTimeWindowMetrics(10, Clock.systemUTC()));
            default -> throw new IllegalStateException("counter: " + counter);
        };
    }

    @Benchmark
    public long record() {
        return calls.record.getAsLong();
    }

    @Benchmark
    public long recordAndCount() {
        return calls.recordAndCount.getAsLong();
    }

    private static Calls ofConcurrentEventWindow(ConcurrentEventWindow window) {
        return new Calls(
                () -> {
                    long nanos = System.nanoTime();
                    window.record(nanos);
                    return nanos;
                },
                () -> window.recordAndCount(System.nanoTime()));
    }

    /** The clock is read outside of the lock, as ours does: a window is exact in any order. */
    private static Calls ofLocked(EventWindow window) {
        return new Calls(() -> {
            long nanos = System.nanoTime();
            synchronized (window) {
                return window.record(nanos);
            }
        });
    }

    private static Calls ofReservoir(SlidingTimeWindowArrayReservoir reservoir) {
        return new Calls(() -> reservoir.update(1), reservoir::size);
    }

    /** It counts all there ever were; the time is read, as of one who keeps it, and dropped. */
    private static Calls ofLongAdder(LongAdder adder) {
        return new Calls(
                () -> {
                    adder.increment();
                    return System.nanoTime();
                },
                () -> {
                    adder.increment();
                    return adder.sum() + System.nanoTime();
                });
    }

    /** A rate that decays, moved on every five seconds; what is read is that of a minute. */
    private static Calls ofMeter(Meter meter) {
        return new Calls((Runnable) meter::mark, () -> (long) meter.getOneMinuteRate());
    }

    /** The sum of the last whole step. */
    private static Calls ofCounter(Counter counter) {
        return new Calls((Runnable) counter::increment, () -> (long) counter.count());
    }

    private static Calls ofHystrix(HystrixRollingNumber number) {
        return new Calls(
                () -> number.increment(HystrixRollingNumberEvent.SUCCESS),
                () -> number.getRollingSum(HystrixRollingNumberEvent.SUCCESS));
    }

    /** Under load it reads a clock that a thread of its own moves: so after three seconds. It logs to the user's home. */
    private static Calls ofSentinel() throws IOException {
        Path log = Files.createTempDirectory("sentinel");
        System.setProperty("csp.sentinel.log.dir", log.toString());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtils.deleteQuietly(log.toFile())));
        while (TimeUtil.instance().getState() != TimeUtil.STATE.RUNNING) {
            TimeUtil.currentTimeMillis();
        }
        ArrayMetric metric = new ArrayMetric(2, 100);
        return new Calls(() -> metric.addPass(1), metric::pass);
    }

    private static Calls ofResilience4j(SlidingTimeWindowMetrics metrics) {
        return new Calls(
                () -> metrics.record(1, TimeUnit.MILLISECONDS, Outcome.SUCCESS).getTotalNumberOfCalls());
    }

    /** Each returns something that depends on what it did, so that no compiler leaves it out. */
    private record Calls(LongSupplier record, LongSupplier recordAndCount) {
        /** Of a counter that counts as it records. */
        Calls(LongSupplier both) {
            this(both, both);
        }

        /** Of one that does not. */
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
