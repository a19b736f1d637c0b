package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.PolledLock;
import java.util.ArrayList;
import java.util.List;

/** What must hold between calls, whatever they were. No other thread uses the limiter. */
final class Invariants {
    private Invariants() {}

    /** Nobody holds its lock, and what is published of it is what the log says. */
    static void check(Gate gate) {
        SlidingLog log = gate.log;
        assertThat(log.holder).as("the lock").isEqualTo(PolledLock.FREE);
        SlidingLog anew = new SlidingLog(log.state());
        for (long nanos = log.latest(); nanos - log.latest() < 3; nanos++) {
            assertThat(log.refuses(nanos, 1)).as("refuses").isEqualTo(anew.refuses(nanos, 1));
            for (int permits = 2; permits < 20; permits++) { // as known as they may be: what is refused, must be
                for (long time : new long[] {nanos, nanos - 10}) {
                    if (log.refuses(time, permits)) {
                        assertThat(anew.delay(time, permits)).as("refuses").isNotZero();
                    }
                }
            }
            assertThat(log.knownDelay(nanos, 1)).as("known delay").isEqualTo(anew.knownDelay(nanos, 1));
        }
    }

    /** Each entry of the map is in the rotation once, and what else is there has been retired. */
    static <K> void check(KeyedLimiter<K> limiter) {
        List<KeyedEntry<K>> examined = new ArrayList<>();
        for (KeyedEntry<K> entry : limiter.keys.map().rotation) {
            if (!entry.isRetired) {
                examined.add(entry);
            }
        }
        List<KeyedEntry<K>> entries = new ArrayList<>();
        for (KeyedEntry<K> entry : limiter.keys.map().entries()) {
            check(entry);
            entries.add(entry);
        }
        assertThat(examined).containsExactlyInAnyOrderElementsOf(entries);
    }
}
