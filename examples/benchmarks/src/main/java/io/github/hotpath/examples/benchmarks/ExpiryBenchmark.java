package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.benchmarks.Windows.Window;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** The one record after a pause that expires ten million events, or all but ten. */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 15) // until the search for the oldest event left is compiled
@Measurement(iterations = 3)
public class ExpiryBenchmark extends OnceBenchmark {
    private static final long STEP = 10;
    private static final int EVENTS = 10_000_000;

    @Param({"EventWindow", "ConcurrentEventWindow", "ArrayDeque, trimmed"})
    public String window;

    @Param({"all", "all but ten"})
    public String expired;

    private Window filled;
    private long afterwards;

    @Setup(Level.Invocation)
    public void fill() {
        filled = null; // else there would be room for half as many
        long interval = STEP * EVENTS;
        filled = Windows.filled(window, EVENTS, STEP, interval);
        afterwards = interval + STEP * (EVENTS - (expired.equals("all") ? 0 : 10));
    }

    @Benchmark
    public long record() {
        filled.record().accept(afterwards);
        return filled.count().applyAsLong(afterwards);
    }
}
