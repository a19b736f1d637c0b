package io.github.hotpath.examples.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.openjdk.jmh.util.SampleBuffer;
import org.openjdk.jmh.util.Statistics;

/** A crowd of requests that wait for a limiter: what waiting costs, and how late they are served. */
enum WaitingCrowd {
    /** Permits for a tenth of the crowd, ten times. */
    IN_TURN("in turn", 10, Duration.ofMillis(200)),
    /** Permits for all of it at one moment. */
    AT_ONCE("at once", 1, Duration.ofMillis(2000));

    private final String title;
    private final int turns;
    private final Duration interval;

    WaitingCrowd(String title, int turns, Duration interval) {
        this.title = title;
        this.turns = turns;
        this.interval = interval;
    }

    /** Returns its name in results. */
    @Override
    public String toString() {
        return title;
    }

    /** Returns the figures of so many requests, by their names. */
    Map<String, Double> measure(Waiting waiting, int requests) throws InterruptedException {
        ScheduledExecutorService scheduler = Waiting.scheduler();
        int limit = requests / turns;
        Run run = new Run(requests);
        try {
            warmUp(waiting, scheduler);
            long start = run.start(waiting, () -> waiting.create(limit, interval, scheduler), limit);
            Waiting.await(start + interval.toNanos() / 2); // by then all of them wait
            ProcessTime before = ProcessTime.now();
            Waiting.await(start + interval.toNanos() * 9 / 10);
            ProcessTime waited = ProcessTime.now();
            run.served.await();
            ProcessTime after = ProcessTime.now();
            return figures(waiting, run.times(start), limit, waited.minus(before), after.minus(waited));
        } finally {
            scheduler.shutdownNow();
        }
    }

    /** Serves another crowd fast, so that everything is loaded and linked. */
    private static void warmUp(Waiting waiting, ScheduledExecutorService scheduler) throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            Run run = new Run(20);
            run.start(waiting, () -> waiting.create(10, Duration.ofMillis(2), scheduler), 10);
            run.served.await();
        }
    }

    private Map<String, Double> figures(
            Waiting waiting, long[] times, int limit, ProcessTime whileWaiting, ProcessTime whileServed) {
        SampleBuffer late = new SampleBuffer();
        for (int i = 0; i < times.length; i++) {
            late.add(Math.max(0, times[i] - waiting.dueNanos(i, limit, interval)));
        }
        Statistics statistics = late.getStatistics(1e-6);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("waitingProcessors", whileWaiting.processors());
        figures.put("servingProcessorMillis", whileServed.processorNanos() / 1e6);
        figures.put("lateP50Millis", statistics.getPercentile(50));
        figures.put("lateP99.9Millis", statistics.getPercentile(99.9));
        return figures;
    }

    /** One crowd. */
    private static final class Run {
        final CountDownLatch served;
        private final long[] times;
        private final AtomicInteger next = new AtomicInteger();

        Run(int requests) {
            served = new CountDownLatch(requests);
            times = new long[requests];
        }

        /**
         * Creates a limiter, takes all permits, lets all requests wait for more, and returns when that was. Those that
         * fill by a clock of their own begin it when they are created.
         */
        long start(Waiting waiting, Supplier<Waiting.Turns> create, int limit) throws InterruptedException {
            CompletableFuture<Waiting.Turns> go = new CompletableFuture<>();
            CountDownLatch started = new CountDownLatch(waiting.blocks ? times.length : 0);
            if (waiting.blocks) {
                for (int i = 0; i < times.length; i++) {
                    Threads.create(false, () -> acquire(started, go)).start();
                }
            }
            started.await();
            long start = System.nanoTime();
            Waiting.Turns turns = create.get();
            turns.acquire(limit);
            go.complete(turns);
            for (int i = 0; !waiting.blocks && i < times.length; i++) {
                turns.acquire(1).thenRun(this::enter);
            }
            return start;
        }

        private void acquire(CountDownLatch started, CompletableFuture<Waiting.Turns> go) {
            started.countDown();
            try {
                go.join().acquire(1);
                enter();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void enter() {
            times[next.getAndIncrement()] = System.nanoTime();
            served.countDown();
        }

        /** Returns when the requests were served, in order, since {@code start}. */
        long[] times(long start) {
            return Arrays.stream(times).map(time -> time - start).sorted().toArray();
        }
    }
}
