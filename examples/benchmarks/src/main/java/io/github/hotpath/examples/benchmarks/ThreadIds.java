package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.ConcurrentEventWindow;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Two busy threads that record in one window, with ids that agree modulo 64, as those of two threads out of sixteen do
 * with a probability of 87%, or with ids that do not.
 */
final class ThreadIds {
    static final String NAME = "threadIds";

    private static final int WARM_UP = 2;
    private static final int ROUNDS = 9;

    private ThreadIds() {}

    /** Measures with ids that are {@code apart} modulo 64. */
    static Map<String, Double> measure(int apart, Duration length) throws InterruptedException {
        double[] rounds = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            rounds[Math.max(round, 0)] = round(apart, length);
        }
        Arrays.sort(rounds);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("perRecord", rounds[ROUNDS / 2]);
        figures.put("least", rounds[0]);
        figures.put("most", rounds[ROUNDS - 1]);
        return figures;
    }

    /** Returns the nanoseconds that a record took each of two new threads, in a new window, the clock included. */
    private static double round(int apart, Duration length) throws InterruptedException {
        ConcurrentEventWindow window = ConcurrentEventWindow.of(Duration.ofMillis(1));
        Recorder first = new Recorder(window, length);
        Recorder second = new Recorder(window, length);
        Thread one = Threads.create(false, first);
        Thread other = Threads.apart(one, apart, second);
        one.start();
        other.start();
        one.join();
        other.join();
        return 2.0 * length.toNanos() / (first.records + second.records);
    }

    private static final class Recorder implements Runnable {
        private final ConcurrentEventWindow window;
        private final Duration length;
        private long records;

        Recorder(ConcurrentEventWindow window, Duration length) {
            this.window = window;
            this.length = length;
        }

        @Override
        public void run() {
            long count = 0;
            long nanos = System.nanoTime();
            for (long until = nanos + length.toNanos(); nanos - until < 0; nanos = System.nanoTime()) {
                window.record(nanos);
                count++;
            }
            records = count;
        }
    }
}
