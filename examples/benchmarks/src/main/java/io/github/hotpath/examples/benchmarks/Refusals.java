package io.github.hotpath.examples.benchmarks;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** The calls of a thread, and how many of them are refused. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Refusals {
    private int threads;
    private long calls;
    private long refusals;

    @Setup(Level.Iteration)
    public void reset(ThreadParams thread) {
        threads = thread.getThreadCount();
        calls = 0;
        refusals = 0;
    }

    /** Counts a call that is granted if its result is 0, and returns the result. */
    long count(long result) {
        refusals += result == 0 ? 0 : 1;
        calls++;
        return result;
    }

    /** In percent; JMH adds up what threads return. */
    public double refused() {
        return 100.0 * refusals / Math.max(1, calls) / threads;
    }
}
