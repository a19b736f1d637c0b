package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * One record in a window of 10,000 events that come out of order: of several sources, each in order and 100 events
 * behind the one before, in turn; or each up to 1,000 events late by chance; or in pages of 1,024, newest first.
 */
public class SourcesBenchmark extends CallBenchmark {
    private static final long STEP = 10;
    private static final int EVENTS = 10_000;
    private static final long INTERVAL = STEP * EVENTS;

    @Param({"one source", "two sources", "four sources", "eight sources", "by chance", "newest first"})
    public String events;

    private final EventWindow window = EventWindow.of(Duration.ofNanos(INTERVAL));
    private final PriorityQueue<Long> queue = new PriorityQueue<>();
    private final long[] delays = new long[1024];
    private long latest;
    private int next;

    @Setup
    public void fill() {
        int sources =
                Map.of("two sources", 2, "four sources", 4, "eight sources", 8).getOrDefault(events, 1);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < delays.length; i++) {
            int behind = events.equals("newest first") ? 2 * i : i % sources * 100;
            delays[i] = STEP * (events.equals("by chance") ? random.nextInt(1_000) : behind);
        }
        for (int i = 0; i < 2 * EVENTS; i++) {
            eventWindow();
        }
        next = 0;
        for (int i = 0; i < 2 * EVENTS; i++) {
            priorityQueue();
        }
    }

    @Benchmark
    public long eventWindow() {
        return window.record(time());
    }

    /** What the JDK has for times out of order; it never lets go of one that is late itself until it is the oldest. */
    @Benchmark
    public long priorityQueue() {
        queue.add(time());
        while (latest - queue.peek() > INTERVAL) {
            queue.remove();
        }
        return queue.size();
    }

    private long time() {
        latest += STEP;
        return latest - delays[next++ & delays.length - 1];
    }
}
