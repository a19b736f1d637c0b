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
        long wait = log.waitForOne();
        assertThat(gate.state)
                .as("state")
                .isEqualTo(wait == 0 ? Gate.OPEN : wait < 0 ? Gate.CLOSED_FOR_EVER : Gate.CLOSED);
        if (wait > 0) {
            assertThat(gate.closedBefore).as("closed before").isEqualTo(log.latest() + wait);
        }
    }

    /** Each entry of the map is in the rotation once, and what else is there has been retired. */
    static <K> void check(KeyedLimiter<K> limiter) {
        List<KeyedEntry<K>> examined = new ArrayList<>();
        for (KeyedEntry<K> entry : limiter.map.rotation) {
            if (!entry.isRetired) {
                examined.add(entry);
            }
        }
        List<KeyedEntry<K>> entries = new ArrayList<>();
        for (KeyedEntry<K> entry : limiter.map.entries()) {
            check(entry);
            entries.add(entry);
        }
        assertThat(examined).containsExactlyInAnyOrderElementsOf(entries);
    }
}
