package io.github.hotpath.examples.stream;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.LongStream;

/**
 * The results that {@link GeneratedEvents} must have, counted the naive way: each event adds 1 to every one of its
 * windows that the watermark has not passed.
 */
final class ExpectedCounts {
    private final long slideMillis;
    private final long firstEnd;

    /** For each key, and each end from the first on. */
    private final long[][] counts;

    ExpectedCounts(GeneratedEvents events, Duration size, Duration slide) {
        slideMillis = slide.toMillis();
        firstEnd = endAfter(times(events).min().orElse(0));
        int ends = index(endAfter(times(events).max().orElse(0) + size.toMillis()));
        counts = new long[events.keys()][ends];
        long watermark = Long.MIN_VALUE;
        for (long number = 0; number < events.events(); number++) {
            Event event = events.event(number);
            for (long end = endAfter(event.time()); end <= event.time() + size.toMillis(); end += slideMillis) {
                if (end - 1 > watermark) {
                    counts[(int) event.key()][index(end)]++;
                }
            }
            if (events.hasWatermark(number)) {
                watermark = events.watermark(number);
            }
        }
    }

    private static LongStream times(GeneratedEvents events) {
        return events.numbers().map(number -> events.event(number).time());
    }

    private long endAfter(long time) {
        return Math.floorDiv(time, slideMillis) * slideMillis + slideMillis;
    }

    private int index(long end) {
        return Math.toIntExact((end - firstEnd) / slideMillis);
    }

    /** Compares {@code results}, in which one may be more than once, if a task was killed after it was emitted. */
    Comparison compare(Collection<Count<Long>> results) {
        long[][] found = new long[counts.length][counts[0].length];
        for (Count<Long> result : results) {
            int key = result.key().intValue();
            int end = index(result.end());
            boolean again = found[key][end] != 0 && found[key][end] != result.count();
            found[key][end] = again ? -1 : result.count();
        }
        int exact = 0;
        int wrong = 0;
        for (int key = 0; key < counts.length; key++) {
            for (int end = 0; end < counts[key].length; end++) {
                if (found[key][end] != counts[key][end]) {
                    wrong++;
                } else if (found[key][end] > 0) {
                    exact++;
                }
            }
        }
        return new Comparison(exact, wrong);
    }

    /** Returns what a comparison comes to if all results are right. */
    Comparison all() {
        long windows = Arrays.stream(counts)
                .flatMapToLong(Arrays::stream)
                .filter(count -> count > 0)
                .count();
        return new Comparison((int) windows, 0);
    }

    /** How many windows had their count, whenever it was emitted; and how many another one, at least once, or none. */
    record Comparison(int exact, int wrong) {}
}
