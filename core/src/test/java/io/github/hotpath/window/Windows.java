package io.github.hotpath.window;

import io.github.hotpath.testing.CompactBytes;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Windows to test. */
final class Windows {
    /** The interval of {@link #byRandomRoute}. */
    static final long INTERVAL = 1 << 16;

    /** {@link EventWindow#writeTo} and {@link EventWindow#readFrom}. */
    static final CompactBytes<EventWindow> FORM = new CompactBytes<>(EventWindow::writeTo, EventWindow::readFrom);

    private Windows() {}

    static EventWindow ofNanos(long interval) {
        return EventWindow.of(Duration.ofNanos(interval));
    }

    static ConcurrentEventWindow concurrentOfNanos(long interval) {
        return ConcurrentEventWindow.of(Duration.ofNanos(interval));
    }

    static BoundedEventWindow boundedOfNanos(long interval, double maxRelativeError) {
        return BoundedEventWindow.of(Duration.ofNanos(interval), maxRelativeError);
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
     * Returns a window of {@link #INTERVAL} with events at {@code times}, which ascend by less than the interval in
     * all, and the last of them as the latest time. Their layout in chunks is random: earlier events have expired, all
     * at once or one by one while these were recorded, and some of these were out of order.
     */
    static EventWindow byRandomRoute(long[] times, SplittableRandom random) {
        EventWindow window = ofNanos(INTERVAL);
        if (times.length == 0) {
            return window;
        }
        long last = times[times.length - 1];
        // These are two apart, so the older ones expire all at once with the last, or one by one, or faster.
        long step = random.nextInt(4);
        for (long old = random.nextInt(1 << random.nextInt(13)); old > 0; old--) {
            window.record(last - INTERVAL - 1 - step * (old - 1));
        }
        long[] arriving = times.clone();
        for (int late = random.nextBoolean() ? 3 : times.length; late + 1 < times.length; late += 8) {
            arriving[late] = times[late + 1];
            arriving[late + 1] = times[late];
        }
        for (long time : arriving) {
            window.record(time);
        }
        return window;
    }
}
