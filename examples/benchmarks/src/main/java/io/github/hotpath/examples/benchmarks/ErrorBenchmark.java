package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.BoundedEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jol.info.GraphLayout;

/** What a bounded window and an exact one retain in steady traffic, and how far apart the bounds are at worst. */
@Fork(1)
@Warmup(iterations = 0)
public class ErrorBenchmark extends OnceBenchmark {
    private static final long STEP = 10;
    private static final int READS = 1_000;

    @Param({"0.01", "0.001"})
    public double allowed;

    @Param({"1000", "100000", "10000000"})
    public int events;

    @Benchmark
    public void measure(Found found) {
        Duration interval = Duration.ofNanos(STEP * (events - 1));
        BoundedEventWindow bounded = BoundedEventWindow.of(interval, allowed);
        EventWindow exact = EventWindow.of(interval);
        int between = Math.max(1, events / READS);
        for (int i = 0; i < 2 * events; i++) {
            bounded.record(STEP * i);
            long count = exact.record(STEP * i);
            if (i % between == 0) {
                long width = bounded.countAtMost(STEP * i) - bounded.countAtLeast(STEP * i);
                found.worstPercent = Math.max(found.worstPercent, 100.0 * width / count);
            }
        }
        found.bytes = GraphLayout.parseInstance(bounded).totalSize();
        found.exactBytes = GraphLayout.parseInstance(exact).totalSize();
    }

    /** What was found. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Found {
        public long bytes;
        public long exactBytes;
        public double worstPercent;
    }
}
