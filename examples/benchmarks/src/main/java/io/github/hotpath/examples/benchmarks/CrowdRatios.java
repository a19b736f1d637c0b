package io.github.hotpath.examples.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What {@code ConcurrentEventWindow} takes in a crowd, beside what an {@code EventWindow} under a lock takes. */
final class CrowdRatios {
    /** What may be added to any time since the operating system may take away the processor. */
    private static final double SCHEDULING_NANOS = 25e6;

    /** What may be added to the processors busy: the system's clock of them ticks each 10 ms, before and after. */
    private static final double TICKS = 0.02;

    private CrowdRatios() {}

    /** Returns a result for each pair, with the ratio of each figure, ours divided by the lock's. */
    static List<Measured> of(List<Measured> results) {
        List<Measured> ratios = new ArrayList<>();
        forEachPair(results, (ours, lock) -> {
            Map<String, Measured.Values> figures = new HashMap<>();
            for (String name : ours.secondary().keySet()) {
                if (lock.has(name) && figure(name).applyAsDouble(lock) > 0) {
                    double ratio =
                            figure(name).applyAsDouble(ours) / figure(name).applyAsDouble(lock);
                    figures.put(name, new Measured.Values(List.of(ratio)));
                }
            }
            ratios.add(new Measured(ours.method(), ours.threads(), ours.params(), figures.get("p50"), figures));
        });
        return ratios;
    }

    /**
     * Returns one line for each target that is missed: no long call's median, and no short call's p99.9 or maximum,
     * more than 3 times the lock's plus the scheduling; processor time of a call at most twice.
     */
    static List<String> missed(List<Measured> results) {
        List<String> missed = new ArrayList<>();
        forEachPair(results, (ours, lock) -> {
            for (String name : List.of("long.p50", "p99.9", "worst")) {
                if (ours.has(name)) {
                    double allowed = 3 * figure(name).applyAsDouble(lock) + SCHEDULING_NANOS;
                    check(missed, ours, name + ", ms", 1e-6 * figure(name).applyAsDouble(ours), 1e-6 * allowed);
                }
            }
            String time = "processorNanosPerCall";
            double ticks = TICKS * 1e9 / ours.median("perSecond");
            check(missed, ours, time, ours.median(time), 2 * lock.median(time) + ticks);
        });
        return missed;
    }

    private static void check(List<String> missed, Measured ours, String name, double value, double allowed) {
        if (value > allowed) {
            missed.add(String.format(
                    Locale.ROOT,
                    "%s, %s threads: %s: %,.1f (allowed: %,.1f)",
                    ours.method(),
                    CrowdTables.threads(ours),
                    name,
                    value,
                    allowed));
        }
    }

    /** Returns how a figure is taken of several forks: the median, but the worst of all. */
    static ToDoubleFunction<Measured> figure(String name) {
        return name.endsWith("worst") ? result -> result.secondary().get(name).most() : result -> result.median(name);
    }

    private static void forEachPair(List<Measured> results, Pair action) {
        for (Measured ours : results) {
            for (Measured lock : results) {
                if (ours.method().equals(lock.method())
                        && ours.threads() == lock.threads()
                        && ours.param("window").equals(SharedWindow.CONCURRENT_EVENT_WINDOW.name())
                        && lock.param("window").equals(SharedWindow.REENTRANT_LOCK.name())) {
                    action.accept(ours, lock);
                }
            }
        }
    }

    @FunctionalInterface
    private interface Pair {
        void accept(Measured ours, Measured lock);
    }
}
