package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.benchmarks.Approximation.Answers;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jol.info.GraphLayout;

/**
 * What counters keep in memory, to the byte, and how far from the truth they are at the worst read: {@code bytes} and
 * {@code error}, as a share of the count. (The time that the benchmark takes says little.)
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class ApproximationBenchmark {
    @Param
    Approximation counter;

    @Param
    Course course;

    @Param({"100", "1000", "10000", "100000", "1000000", "10000000", "100000000", "1000000000"})
    long events;

    @Benchmark
    public void answer(Found found) {
        Answers answers = counter.create(course.intervalNanos(events));
        long event = 0;
        long nextRead = course.firstRead(events);
        for (int reads = 0; reads < course.reads(); reads++) {
            while (event < nextRead) {
                answers.record(course.nanos(event++, events));
            }
            long nanos = course.nanos(event, events);
            answers.record(nanos);
            found.compare(answers, nanos, course.count(event++, events));
            nextRead += course.step(events);
        }
        found.bytes = GraphLayout.parseInstance(answers).totalSize();
    }

    /** The memory at the end, and the worst error of all reads. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Found {
        public long bytes;
        public double error;

        private void compare(Answers answers, long nanos, long truth) {
            long wrongBy = Math.max(truth - answers.atLeast(nanos), answers.atMost(nanos) - truth);
            error = Math.max(error, (double) wrongBy / truth);
        }
    }
}
