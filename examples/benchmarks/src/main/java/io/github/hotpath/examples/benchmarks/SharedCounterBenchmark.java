package io.github.hotpath.examples.benchmarks;

import com.alibaba.csp.sentinel.slots.statistic.metric.ArrayMetric;
import com.alibaba.csp.sentinel.util.TimeUtil;
import com.codahale.metrics.Meter;
import com.codahale.metrics.SlidingTimeWindowArrayReservoir;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import io.github.resilience4j.core.metrics.Metrics.Outcome;
import io.github.resilience4j.core.metrics.SlidingTimeWindowMetrics;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.Id;
import io.micrometer.core.instrument.Meter.Type;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.step.StepCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.apache.commons.io.FileUtils;
import org.eclipse.jetty.util.statistic.RateStatistic;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A counter of the latest events that threads share, as its documentation says, with the real clock. Those that know
 * the time of each event count the last millisecond, which is tens of thousands of events here. The others count by
 * buckets: as many as by their own default, but shorter where they can be, so that all are there when measuring begins.
 */
@Warmup(iterations = 8, time = 200, timeUnit = TimeUnit.MILLISECONDS) // two threads leave the compiler no processor
public class SharedCounterBenchmark extends CallBenchmark {
    private static final Duration INTERVAL = Duration.ofMillis(1);

    @Param("ConcurrentEventWindow")
    public String counter;

    private Calls calls;

    @Setup
    public void create() throws IOException {
        calls = switch (counter) {
            case "the clock alone" -> new Calls(System::nanoTime);
            case "ConcurrentEventWindow" -> {
                ConcurrentEventWindow window = ConcurrentEventWindow.of(INTERVAL);
                LongSupplier record = () -> {
                    window.record(System.nanoTime());
                    return 0;
                };
                yield new Calls(record, () -> window.recordAndCount(System.nanoTime()));
            }
            case "EventWindow, locked" -> {
                EventWindow window = EventWindow.of(INTERVAL);
                yield new Calls(() -> {
                    long nanos = System.nanoTime(); // outside of the lock, as ours: a window is exact in any order
                    synchronized (window) {
                        return window.record(nanos);
                    }
                });
            }
            case "LongAdder, and a clock" -> // it counts all there ever were
                of(new LongAdder(), adder -> adder.add(System.nanoTime() == 0 ? 2 : 1), LongAdder::sum);
            case "Dropwizard, array" ->
                of(
                        new SlidingTimeWindowArrayReservoir(INTERVAL.toNanos(), TimeUnit.NANOSECONDS),
                        r -> r.update(1),
                        r -> r.size());
            case "Dropwizard, Meter" -> of(new Meter(), Meter::mark, meter -> (long) meter.getOneMinuteRate());
            case "Micrometer (steps)" ->
                of(
                        new StepCounter(new Id("calls", Tags.empty(), null, null, Type.COUNTER), Clock.SYSTEM, 60_000),
                        Counter::increment,
                        count -> (long) count.count());
            case "Jetty" -> new Calls(new RateStatistic(INTERVAL.toNanos(), TimeUnit.NANOSECONDS)::record);
            case "Sentinel (buckets)" -> of(sentinel(), metric -> metric.addPass(1), ArrayMetric::pass);
            case "Resilience4j (buckets)" -> {
                SlidingTimeWindowMetrics metrics = new SlidingTimeWindowMetrics(10, java.time.Clock.systemUTC());
                yield new Calls(() -> metrics.record(1, TimeUnit.MILLISECONDS, Outcome.SUCCESS)
                        .getTotalNumberOfCalls());
            }
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

    /** Under load it reads a clock that a thread of its own moves: so after three seconds. It logs to the user's home. */
    private static ArrayMetric sentinel() throws IOException {
        Path log = Files.createTempDirectory("sentinel");
        System.setProperty("csp.sentinel.log.dir", log.toString());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtils.deleteQuietly(log.toFile())));
        while (TimeUtil.instance().getState() != TimeUtil.STATE.RUNNING) {
            TimeUtil.currentTimeMillis();
        }
        return new ArrayMetric(2, 100);
    }

    private static <T> Calls of(T counter, Consumer<T> record, ToLongFunction<T> count) {
        return new Calls(
                () -> {
                    record.accept(counter);
                    return 0;
                },
                () -> {
                    record.accept(counter);
                    return count.applyAsLong(counter);
                });
    }

    /** Where nothing else is done, the result depends on what was, so that no compiler leaves it out. */
    private record Calls(LongSupplier record, LongSupplier recordAndCount) {
        /** Of a counter that counts as it records. */
        Calls(LongSupplier both) {
            this(both, both);
        }
    }
}
