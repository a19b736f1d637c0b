package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How the cost of a record in a steady window, and of a count, grows with the number of events in it. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class GrowthBenchmark {
    private static final long STEP = 10;

    @Benchmark
    public long record(Steady steady) {
        return steady.filled.record(steady.nanos += STEP);
    }

    /** When nothing has come or gone since the last one. */
    @Benchmark
    public long count(Lasting lasting) {
        return lasting.filled.count(lasting.nanos);
    }

    /** A window with events in it. */
    @State(Scope.Thread)
    public abstract static class Filled {
        @Param({
            "EVENT_WINDOW",
            "CONCURRENT_EVENT_WINDOW",
            "TRIMMED_DEQUE",
            "SWEPT_DEQUE",
            "DROPWIZARD_ARRAY",
            "DROPWIZARD_TREE"
        })
        ExactWindow window;

        @Param({"100", "1000", "10000", "100000", "1000000", "10000000", "100000000"})
        int events;

        Window filled;
        long nanos;

        void fill(long intervalNanos) {
            filled = window.filled(events, STEP, intervalNanos);
            nanos = STEP * (events - 1);
        }
    }

    /** A window in which an event expires as one is recorded. */
    public static class Steady extends Filled {
        @Setup
        public void fill() {
            fill(STEP * (events - 1));
        }
    }

    /**
     * One from which nothing goes for long, since each reading of Dropwizard's reservoirs moves the time on by 1/256 of
     * a nanosecond.
     */
    public static class Lasting extends Filled {
        @Setup
        public void fill() {
            fill(TimeUnit.HOURS.toNanos(1));
        }
    }
}
