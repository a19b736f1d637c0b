package io.github.hotpath.examples.stream;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules of {@link SlidingCounts} in as few lines as possible: a window is counted when the watermark reaches its
 * end, by searching all events until then. It has no failures.
 */
final class NaiveCounts {
    private final long size;
    private final long slide;
    private final List<Event> events = new ArrayList<>();
    private final List<Count<Long>> results = new ArrayList<>();

    /** The end of the last window that was counted. */
    private long end;

    /** Begins with a watermark, so that it need not count from the beginning of time. */
    NaiveCounts(Duration size, Duration slide, long watermark) {
        this.size = size.toMillis();
        this.slide = slide.toMillis();
        end = Math.floorDiv(watermark + 1, this.slide) * this.slide;
    }

    void process(long key, long time) {
        events.add(new Event(key, time));
    }

    void watermark(long time) {
        while (end + slide - 1 <= time) {
            end += slide;
            keys().forEach(this::count);
        }
    }

    private Stream<Long> keys() {
        return events.stream().map(Event::key).distinct();
    }

    private void count(long key) {
        long count = events.stream()
                .filter(event -> event.key() == key && event.time() >= end - size && event.time() < end)
                .count();
        if (count > 0) {
            results.add(new Count<>(key, end, count));
        }
    }

    List<Count<Long>> results() {
        return results;
    }
}
