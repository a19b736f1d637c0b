package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.examples.benchmarks.SharedWindow.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.openjdk.jmh.util.SampleBuffer;
import org.openjdk.jmh.util.Statistics;

/** Many threads that share a window: what each does, and how long its calls take. */
enum Crowd {
    /** Records once a millisecond, in all threads but one, which copies three million events, each 10 ms. */
    TO_ARRAY("toArray", Operation.RECORD, 1, Operation.COPY, 10, 1),
    /** The same with copies one after the other: under a lock that is not fair, hardly any other call gets it. */
    TO_ARRAY_BUSY("toArrayBusy", Operation.RECORD, 1, Operation.COPY, 0, 1),
    /** Records once a millisecond. */
    RECORD("record", Operation.RECORD, 1, null, 0, 1),
    /** The same without a pause. */
    RECORD_BUSY("recordBusy", Operation.RECORD, 0, null, 0, 1),
    /** Records and counts the last 100 ms, once a millisecond. */
    RECORD_AND_COUNT("recordAndCount", Operation.RECORD_AND_COUNT, 1, null, 0, 1),
    /** The same without a pause. */
    RECORD_AND_COUNT_BUSY("recordAndCountBusy", Operation.RECORD_AND_COUNT, 0, null, 0, 1),
    /** Tries without a pause to acquire one of ten million permits in 100 ms, and succeeds. */
    GRANTED("granted", Operation.ACQUIRE, 0, null, 0, 10_000_000),
    /** Tries without a pause to acquire one of ten thousand permits in 100 ms, and nearly always fails. */
    REFUSED("refused", Operation.ACQUIRE, 0, null, 0, 10_000);

    private static final Duration GRACE = Duration.ofSeconds(10);

    /** How often the crowd is tried before: a call that waits for the first time discards what has been compiled. */
    private static final int WARM_UPS = 8;

    private final String title;
    private final Operation shortCall;
    private final Duration pause;
    private final Operation longCall;
    private final Duration longPause;
    private final int limit;

    /** The pauses are milliseconds between calls; there may be no long call. */
    Crowd(String title, Operation shortCall, int pause, Operation longCall, int longPause, int limit) {
        this.title = title;
        this.shortCall = shortCall;
        this.pause = Duration.ofMillis(pause);
        this.longCall = longCall;
        this.longPause = Duration.ofMillis(longPause);
        this.limit = limit;
    }

    static Crowd named(String title) {
        return Stream.of(values())
                .filter(crowd -> crowd.title.equals(title))
                .findFirst()
                .orElseThrow();
    }

    /** Returns its name in results and on the command line. */
    @Override
    public String toString() {
        return title;
    }

    /** What takes no lock is beside what hardly ever waits for one. */
    boolean isPossibleWith(SharedWindow window) {
        return (window != SharedWindow.CLOCK || this == REFUSED)
                && (window != SharedWindow.EACH_ITS_OWN || this == RECORD_BUSY)
                && window.has(shortCall)
                && (longCall == null || window.has(longCall));
    }

    /**
     * Returns the figures of one run, by their names, in nanoseconds unless the name says otherwise.
     *
     * @throws IllegalStateException if threads hang
     */
    Map<String, Double> measure(SharedWindow window, int threads, boolean virtual, Size size)
            throws InterruptedException {
        Duration interval = longCall == null ? Duration.ofMillis(100) : Duration.ofHours(1);
        Map<Operation, LongSupplier> operations = window.create(interval, limit);
        if (longCall == null) {
            call(operations.get(shortCall), 20_000); // compiles it
        } else {
            fill(operations.get(Operation.RECORD), size.events);
        }
        for (int i = 0; i < WARM_UPS; i++) {
            Caller.callAll(callers(operations, threads, virtual), size.warmUp, GRACE);
            Thread.sleep(size.warmUp.toMillis()); // the compiler gets hardly any time beside a crowd
        }
        List<Caller> callers = callers(operations, threads, virtual);
        ProcessTime before = ProcessTime.now();
        Caller.callAll(callers, size.length.multipliedBy(longer(threads)), GRACE);
        return figures(callers, ProcessTime.now().minus(before));
    }

    /**
     * Returns how much longer calls with pauses are measured: of those of 20 threads in a second 20 are the slowest
     * thousandth, as many as wait at one moment at which the thread that holds a lock loses its processor. In ten
     * seconds there are 200; of more threads, three are enough.
     */
    private int longer(int threads) {
        if (pause.isZero()) {
            return 1;
        }
        return longCall == null && threads < 100 ? 10 : 3;
    }

    /** Records by two threads at once, so that a window with stripes has the events in several. */
    private static void fill(LongSupplier record, int events) throws InterruptedException {
        Thread other = Threads.create(false, () -> call(record, events / 2));
        other.start();
        call(record, events / 2);
        other.join();
    }

    private static void call(LongSupplier call, int times) {
        for (int i = 0; i < times; i++) {
            call.getAsLong();
        }
    }

    /** Returns the caller of each thread; that of the long call, if there is one, is the last. */
    private List<Caller> callers(Map<Operation, LongSupplier> operations, int threads, boolean virtual) {
        List<Caller> callers = new ArrayList<>();
        for (int i = longCall == null ? 0 : 1; i < threads; i++) {
            callers.add(new Caller(operations.get(shortCall), pause, virtual));
        }
        if (longCall != null) {
            callers.add(new Caller(operations.get(longCall), longPause, virtual));
        }
        return callers;
    }

    private Map<String, Double> figures(List<Caller> callers, ProcessTime spent) {
        int shortCallers = callers.size() - (longCall == null ? 0 : 1);
        SampleBuffer durations = new SampleBuffer();
        callers.subList(0, shortCallers).forEach(caller -> durations.addAll(caller.durations()));
        Statistics calls = durations.getStatistics(1);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("p50", calls.getPercentile(50));
        figures.put("p99.9", calls.getPercentile(99.9));
        figures.put("worst", calls.getMax());
        if (longCall != null) {
            Statistics ofLong = callers.get(shortCallers).durations().getStatistics(1);
            figures.put("long.p50", ofLong.getPercentile(50));
            figures.put("long.worst", ofLong.getMax());
        }
        figures.put("perSecond", calls.getN() * 1e9 / spent.nanos());
        figures.put("processors", spent.processors());
        figures.put("otherProcessors", spent.otherProcessors());
        return figures;
    }

    /** How many events there are for a long call, and how long the calls go on. */
    record Size(int events, Duration warmUp, Duration length) {
        Size(int events, int warmUpMillis, int millis) {
            this(events, Duration.ofMillis(warmUpMillis), Duration.ofMillis(millis));
        }
    }
}
