package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Uses windows in every other way than one steady window is used: many of them, with late events, spans, bursts, pauses
 * and copies. So a JVM has compiled their methods for all of that before a steady window is measured.
 */
final class OtherUses {
    private static final long[] INTERVALS = {0, 50, 5_000, 500_000, 50_000_000};

    private OtherUses() {}

    static void run() {
        SplittableRandom random = new SplittableRandom(1);
        long sum = 0;
        for (int i = 0; i < 200; i++) {
            sum += one(INTERVALS[i % INTERVALS.length], random);
        }
        if (sum == 0) {
            throw new IllegalStateException("nothing was counted");
        }
    }

    private static long one(long interval, SplittableRandom random) {
        EventWindow window = EventWindow.of(Duration.ofNanos(interval));
        long now = random.nextLong();
        long sum = 0;
        for (int i = 0; i < 5_000; i++) {
            now += random.nextInt(8) == 0 ? random.nextLong(interval + 1) / 4 : random.nextInt(200);
            sum += window.record(random.nextInt(4) == 0 ? now - random.nextLong(2 * interval + 1) : now);
            if (i % 16 == 0) {
                sum += window.count(now, Duration.ofNanos(random.nextLong(interval + 1)))
                        + window.count(now + interval);
            }
            if (i % 500 == 0) {
                window.trim(now += interval / 2);
                sum += window.toArray().length;
            }
            if (i % 2_000 == 1_999) {
                window.clear();
            }
        }
        return sum;
    }
}
