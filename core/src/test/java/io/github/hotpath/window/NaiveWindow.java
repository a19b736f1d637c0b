package io.github.hotpath.window;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rules of {@link EventWindow} in as few lines as possible: a list of times that every call searches.
 *
 * <p>Ages are read as unsigned. That is exact, for an event in the list is less than 2^63 ns before the latest time,
 * and the time of a read less than 2^63 ns after that.
 */
final class NaiveWindow {
    private final long interval;
    private final List<Long> times = new ArrayList<>();
    private long now;
    private boolean started;

    NaiveWindow(long interval) {
        this.interval = interval;
    }

    long record(long nanos) {
        times.add(nanos);
        trim(nanos);
        return times.size();
    }

    int size() {
        return times.size();
    }

    long count(long nanos) {
        return count(nanos, interval);
    }

    long count(long nanos, long span) {
        long asOf = asOf(nanos);
        long count = 0;
        for (long time : times) {
            count += isIn(time, asOf, span) ? 1 : 0;
        }
        return count;
    }

    void trim(long nanos) {
        now = asOf(nanos);
        started = true;
        times.removeIf(time -> !isIn(time, now, interval));
    }

    void clear() {
        times.clear();
        started = false;
    }

    long[] toArray() {
        return times.stream()
                .sorted(Comparator.comparingLong((Long time) -> now - time).reversed())
                .mapToLong(time -> time)
                .toArray();
    }

    @Override
    public String toString() {
        return "EventWindow[interval=" + Duration.ofNanos(interval) + ", count=" + times.size() + "]";
    }

    private long asOf(long nanos) {
        return !started || nanos - now > 0 ? nanos : now;
    }

    private static boolean isIn(long time, long asOf, long span) {
        return Long.compareUnsigned(asOf - time, span) <= 0;
    }
}
