package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sources that are each in order but behind one another, as partitions of a replay: what they cost and that they count.
 */
class LateSourcesTest {
    private static final int EVENTS = 5_000;

    /** Whether a source is moved for is seen by the place of its events: all of them, and no other, are in one log. */
    @ParameterizedTest(name = "{0} sources")
    @ValueSource(ints = {2, 3, 8})
    void record_sourceAfterSource_eachIsAppendedToALogOfItsOwn(int sources) {
        EventWindow window = EventWindow.of(Duration.ofNanos(Long.MAX_VALUE));
        int ahead = 2 * Chunks.MAX_LENGTH; // events near the end of the window's log would be inserted there

        record(window, 0, sources);
        for (int i = 0; i < ahead; i++) {
            window.record((long) sources * EVENTS + i);
        }
        for (int source = 1; source < sources; source++) {
            assertThat(record(window, source, sources)).isEqualTo((source + 1L) * EVENTS + ahead);
        }

        assertThat(window.log().size()).isEqualTo(EVENTS + ahead);
        EventLog[] logs = window.late.logs();
        for (int source = 1; source < sources; source++) {
            long[] times = new long[EVENTS];
            logs[source - 1].copyTo(times, 0);
            assertThat(times).isEqualTo(times(source, sources));
        }
        assertThat(window.toArray())
                .isEqualTo(LongStream.range(0, sources * EVENTS + ahead).toArray());
        window.checkInvariants();
    }

    @Test
    void record_moreSourcesThanLogs_countsAll() {
        EventWindow window = EventWindow.of(Duration.ofNanos(Long.MAX_VALUE));

        for (int source = 0; source < 10; source++) {
            record(window, source, 10);
        }

        assertThat(window.toArray()).isEqualTo(LongStream.range(0, 10L * EVENTS).toArray());
        window.checkInvariants();
    }

    /** Two sources, one always behind: the first stays in the window's log. */
    @Test
    void record_sourcesInTurns_eachIsAppended() {
        EventWindow window = EventWindow.of(Duration.ofNanos(100_000));
        NaiveCount expected = new NaiveCount(100_000);

        for (long time = 0; time < 300_000; time += 10) {
            assertThat(window.record(time)).isEqualTo(expected.record(time));
            if (time >= 50_000) {
                assertThat(window.record(time - 50_000)).isEqualTo(expected.record(time - 50_000));
            }
        }

        assertThat(window.log().size()).isEqualTo(10_001);
        assertThat(window.size()).isEqualTo(10_001 + 5_001);
        window.checkInvariants();
    }

    @Test
    void record_noOrderAtAll_countsAll() {
        SplittableRandom random = Seed.random("no order");
        EventWindow window = EventWindow.of(Duration.ofNanos(Long.MAX_VALUE));
        long[] times = new long[40_000];
        Arrays.setAll(times, i -> random.nextLong(1_000_000));

        for (long time : times) {
            window.record(time);
        }

        assertThat(window.toArray()).isEqualTo(LongStream.of(times).sorted().toArray());
        window.checkInvariants();
    }

    @Test
    void record_lateSourceExpires_memoryIsReleased() {
        EventWindow window = EventWindow.of(Duration.ofNanos(20_000));
        record(window, 0, 2);
        record(window, 1, 2);
        assertThat(window.size()).isGreaterThan(window.log().size());

        window.record(100_000);

        assertThat(window.toArray()).containsExactly(100_000);
        assertThat(Structure.bytes(window)).isLessThanOrEqualTo(200);
    }

    @Test
    void trim_lateSource_releasesSpareMemoryAlone() {
        EventWindow window = EventWindow.of(Duration.ofNanos(20_000));
        record(window, 0, 2);
        record(window, 1, 2);
        long[] before = window.toArray();

        window.trim(0);

        assertThat(window.toArray()).isEqualTo(before);
        window.checkInvariants();
    }

    private static long record(EventWindow window, int source, int sources) {
        long count = 0;
        for (long time : times(source, sources)) {
            count = window.record(time);
        }
        return count;
    }

    /** Returns times in order that interleave with those of the other sources. */
    private static long[] times(int source, int sources) {
        return LongStream.range(0, EVENTS)
                .map(i -> i * sources + (sources - 1 - source))
                .toArray();
    }

    /** Counts what is in the window, of which the latest time is known. */
    private static final class NaiveCount {
        private final long interval;
        private final TreeMap<Long, Integer> times = new TreeMap<>();
        private long latest;
        private long size;

        NaiveCount(long interval) {
            this.interval = interval;
        }

        long record(long nanos) {
            times.merge(nanos, 1, Integer::sum);
            size++;
            latest = Math.max(latest, nanos);
            while (times.firstKey() < latest - interval) {
                size -= times.pollFirstEntry().getValue();
            }
            return size;
        }
    }
}
