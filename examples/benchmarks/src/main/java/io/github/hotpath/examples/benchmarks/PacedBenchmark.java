package io.github.hotpath.examples.benchmarks;

import java.time.Duration;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * A call of a limiter that threads share, as calls come: at real times with exponential gaps, set beforehand for each
 * thread, so a limiter that is slower is asked as often, and what was due during a long call comes at once afterwards.
 * What the calls take is a counter, one reading of the clock included; the time of the benchmark, with what lies between
 * calls, means nothing. Every call counts: one that waits for a lock or sleeps before it tries again may take long.
 * What a cache line takes from one processor to the other changes within minutes on some machines, so there are more
 * rounds than elsewhere.
 */
@Fork(
        value = 8,
        jvmArgs = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
public class PacedBenchmark extends CallBenchmark {
    private static final int MEAN_GAP = 500;
    private static final int INTERVAL = 10_000_000;

    @Param("SlidingWindowLimiter")
    public String limiter;

    @Param({States.HALF, States.AT, States.TWICE})
    public String state;

    private Limiters.Call call;

    @Setup
    public void create(ThreadParams thread) {
        int limit = (int) (thread.getThreadCount() * INTERVAL / MEAN_GAP / States.load(state));
        call = Limiters.of(limiter, limit, Duration.ofNanos(INTERVAL), States.isEmptyFirst(state), System::nanoTime);
    }

    @Benchmark
    public long tryAcquire(Caller caller, Refusals refusals) throws InterruptedException {
        long start = caller.awaitNext();
        long result = call.ask(1);
        caller.count(System.nanoTime() - start);
        return refusals.count(result);
    }

    /** The calls of a thread. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Caller {
        private int threads;
        private int[] gaps;
        private int next;
        private long due;
        private long calls;
        private long nanos;

        @Setup(Level.Iteration)
        public void start(ThreadParams thread) {
            threads = thread.getThreadCount();
            gaps = Arrivals.gaps(Arrivals.EXPONENTIAL, MEAN_GAP);
            next = thread.getThreadIndex() * gaps.length / threads;
            due = System.nanoTime();
            calls = 0;
            nanos = 0;
        }

        /** Waits until the next call is due, and returns the time. */
        long awaitNext() {
            due += gaps[next++ & gaps.length - 1];
            long now = System.nanoTime();
            while (now - due < 0) {
                now = System.nanoTime();
            }
            return now;
        }

        void count(long taken) {
            calls++;
            nanos += taken;
        }

        /** The mean; JMH adds up what threads return. */
        public double call() {
            return calls == 0 ? 0 : (double) nanos / calls / threads;
        }
    }
}
