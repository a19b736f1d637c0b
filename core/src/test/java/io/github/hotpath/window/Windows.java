package io.github.hotpath.window;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Windows to test. */
final class Windows {
    /** The interval of {@link #byRandomRoute}. */
    static final long INTERVAL = 1 << 16;

    private Windows() {}

    static EventWindow ofNanos(long interval) {
        return EventWindow.of(Duration.ofNanos(interval));
    }

    /** Returns a window with an event at each of {@code times}, recorded in that order. */
    static EventWindow holding(long interval, long... times) {
        EventWindow window = ofNanos(interval);
        for (long time : times) {
            window.record(time);
        }
        return window;
    }

    /** Returns {@code n} times, two nanoseconds apart, from {@code start}. */
    static long[] times(long start, int n) {
        return LongStream.range(0, n).map(i -> start + 2 * i).toArray();
    }

    /**
     * Returns a window of {@link #INTERVAL} with events at {@code times}, which go up by less than the interval in all, and
     * now at the last of them. How they stand in chunks is left to chance: events that have expired went before, all at once
     * or one by one while these came, and some of these were late.
     */
    static EventWindow byRandomRoute(long[] times, SplittableRandom random) {
        EventWindow window = ofNanos(INTERVAL);
        if (times.length == 0) {
            return window;
        }
        long last = times[times.length - 1];
        long step = random.nextInt(
                4); // the new ones are two apart: from all at once, when the last comes, to ahead of them
        for (long old = random.nextInt(1 << random.nextInt(13)); old > 0; old--) {
            window.record(last - INTERVAL - 1 - step * (old - 1));
        }
        int late = random.nextBoolean() ? 8 : Integer.MAX_VALUE; // one in eight comes after the next one
        for (int i = 0; i < times.length; i++) {
            if (i % late == 3 && i + 1 < times.length) {
                window.record(times[i + 1]);
                window.record(times[i]);
                i++;
            } else {
                window.record(times[i]);
            }
        }
        return window;
    }
}
