package io.github.hotpath.examples.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sources of events, each in order, that are recorded one after the other, as when partitions are replayed: the events
 * of each lie between those of the others. One thread; times are passed in.
 */
final class LateSources {
    static final String NAME = "lateSources";

    private static final int ROUNDS = 15;
    private static final int STEP = 1000;

    /** After how many events the clock is read, for whether to stop. */
    private static final int BATCH = 256;

    private LateSources() {}

    /**
     * Records the sources into new windows, some times, and returns the figures of the median: how long each event
     * took, overall and by source, and which part of all was recorded before the time was over.
     */
    static Map<String, Double> measure(ExactWindow kind, int sources, int events, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        List<Map<String, Double>> rounds = new ArrayList<>();
        do {
            Window window = kind.create(Duration.ofHours(1).toNanos(), sources * events);
            rounds.add(record(window, sources, events, deadline));
        } while (rounds.size() < ROUNDS && System.nanoTime() - deadline < 0);
        if (rounds.size() > 1) {
            rounds.removeIf(round -> round.get("recorded") < 1);
        }
        rounds.sort(Comparator.comparing(round -> round.get("perEvent")));
        return rounds.get(rounds.size() / 2);
    }

    private static Map<String, Double> record(Window window, int sources, int events, long deadline) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("perEvent", 0.0);
        int recorded = 0;
        long start = System.nanoTime();
        long end = start;
        for (int source = 0; source < sources && recorded == source * events; source++) {
            long begin = end;
            int ofSource = record(window, source, sources, events, deadline);
            end = System.nanoTime();
            recorded += ofSource;
            figures.put("source" + (source + 1), (double) (end - begin) / ofSource);
        }
        figures.put("perEvent", (double) (end - start) / recorded);
        figures.put("recorded", (double) recorded / (sources * events));
        return figures;
    }

    /** Records one source, and returns how many of its events: all, or those before the deadline. */
    private static int record(Window window, int source, int sources, int events, long deadline) {
        int event = 0;
        do {
            window.record((long) STEP * (sources * event + source));
            event++;
        } while (event < events && (event % BATCH != 0 || System.nanoTime() - deadline < 0));
        return event;
    }
}
