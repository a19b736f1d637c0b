package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link ConcurrentEventWindow} allocates and retains, to the byte, where {@link EventWindow} differs. */
class ConcurrentMemoryTest {
    @AutoClose
    private static final Relay RELAY = new Relay();

    private static final int MILLION = 1_000_000;

    @ParameterizedTest(name = "{0} events")
    @MethodSource("io.github.hotpath.window.AnyMemoryTest#sizes")
    void recordInStripeOfItsOwn_steady_allocatesNothing(int n) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(n - 1);
        window.separate(window.stripe());
        record(window, 0, 3L * n + 10_000);

        Allocation.assertNone(() -> record(window, 3L * n + 10_000, 100_000));
    }

    /** Each count removes a stripe's expired events, so it may be empty when the next event is recorded. */
    @ParameterizedTest(name = "{0} events, a count for every {1}")
    @CsvSource({
        "1, 1",
        "1, 5",
        "3, 1",
        "3, 10",
        "8, 3",
        "40, 7",
        "100, 1",
        "513, 50",
        "1024, 100",
        "2049, 3000",
        "10000, 7"
    })
    void recordAndCount_steady_allocateNothing(int n, int every) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(n - 1);
        recordAndCount(window, 0, 3 * n + 10_000, every);

        Allocation.assertNone(() -> recordAndCount(window, 3 * n + 10_000, 100_000, every));
    }

    /** Each thread records every fourth event. */
    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {1, 3, 12, 40, 400, 2_049, 5_000})
    void record_steadyInSeveralStripes_allocatesNothing(int n) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(n - 1);
        RELAY.spread(window);
        recordInTurns(window, 0, 3 * n + 5_000);

        long allocated = recordInTurns(window, 3 * n + 5_000, 10_000);

        assertThat(allocated).isZero();
    }

    @Test
    void tryRecordAndCount_steadyInSeveralStripes_allocateNothing() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(999);
        window.separate(window.stripe());
        recordAndCount(window, 0);

        Allocation.assertNone(() -> recordAndCount(window, 100_000));
    }

    @Test
    void nanosUntilBelow_inSeveralStripes_allocatesLittleForEach() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(999);
        window.separate(window.stripe());
        recordAndCount(window, 0);
        window.nanosUntilBelow(100_000, 500);

        long allocated = Allocation.of(() -> window.nanosUntilBelow(100_000, 500));

        assertThat(allocated).isBetween(1L, 500L);
    }

    @Test
    void new_keepsLittle() {
        assertThat(Structure.bytes(Windows.concurrentOfNanos(10))).isEqualTo(Structure.bytes(Windows.ofNanos(10)) + 88);
    }

    /** An event that is inserted evicts none, and every second one finds the chunk full. */
    @ParameterizedTest(name = "with a count: {0}")
    @ValueSource(booleans = {false, true})
    void record_everySecondEventIsLate_releasesWhatHasExpired(boolean counts) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(10);
        window.record(0);
        window.record(-1);
        window.record(-1);

        for (int i = 1; i < 100_000; i++) {
            window.record(i);
            if (counts) {
                window.recordAndCount(i - 1);
            } else {
                window.record(i - 1);
            }
        }

        assertThat(Structure.bytes(window)).isLessThan(2_000);
        assertThat(window.count(99_999)).isEqualTo(21);
    }

    /** More than the 400 of three events: room for 32 stays, or uneven traffic would allocate at each record. */
    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {4, 8, 15})
    void record_fewByOneThread_keepsRoomForThirtyTwo(int n) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(n - 1);

        record(window, 0, 1_000);

        assertThat(window.toArray()).hasSize(n);
        assertThat(Structure.bytes(window)).isLessThanOrEqualTo(448);
    }

    /** Whichever thread it is, and also when several use it one after another. */
    @Test
    void record_byOneThreadAtATime_keepsLittle() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(2);

        for (int turn = 0; turn < 100; turn++) {
            long from = 1_000 * turn;
            RELAY.on(turn % Relay.THREADS, () -> {
                record(window, from, 1_000);
                return window.tryRecord(from + 1_000, 3);
            });
        }

        assertThat(Structure.bytes(window)).isLessThanOrEqualTo(400);
        assertThat(window.toArray()).containsExactly(99_998, 99_999, 100_000);
    }

    /** Without a reader, expired events are removed when the chunk is full. */
    @Test
    void record_fewLeftOfManyAtOnce_keepsLittle() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(100_000);
        record(window, 0, 100_000);

        record(window, MILLION, 1_024);

        assertThat(Structure.bytes(window)).isLessThanOrEqualTo(400 + 3 * 8 * 1_024);
    }

    /** Without a full chunk, they are removed an interval after they have expired. */
    @Test
    void record_seldomAfterMany_keepsLittle() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(100_000);
        record(window, 0, 100_000);

        for (long time = 110_000; time <= 300_000; time += 10_000) {
            window.record(time);
        }

        assertThat(Structure.bytes(window)).isLessThanOrEqualTo(400 + 3 * 8 * 1_024);
        assertThat(window.toArray()).hasSize(11);
    }

    /** The threads of the other stripes have ended, and nobody reads. */
    @ParameterizedTest(name = "interval {0}")
    @ValueSource(longs = {100_000, 50_000_000, 3_600_000_000_000L})
    void record_inOneOfSeveralStripes_releasesTheExpiredEventsOfTheOthers(long interval) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(interval);
        window.tryRecord(0, 1); // in the first stripe
        RELAY.spread(window);
        for (int thread = 0; thread < Relay.THREADS; thread++) {
            RELAY.run(thread, () -> record(window, 0, 100_000));
        }

        for (int i = 1; i <= 20; i++) {
            long time = i * Math.max(interval, 1_000_000) / 4;
            RELAY.run(1, () -> window.record(time));
        }

        assertThat(Structure.bytes(window)).isLessThanOrEqualTo(3_000);
    }

    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {10, 5_000})
    void trim_allExpiredInSeveralStripes_keepsNoChunk(int n) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(n - 1);
        RELAY.spread(window);
        long before = Structure.bytes(window);
        recordInTurns(window, 0, 2 * n);

        window.trim(MILLION);

        assertThat(window.toArray()).isEmpty();
        assertThat(Structure.bytes(window)).isEqualTo(before);
    }

    @Test
    void clear_severalStripes_keepsNoChunk() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(4_999);
        RELAY.spread(window);
        long before = Structure.bytes(window);
        recordInTurns(window, 0, 10_000);

        window.clear();

        assertThat(Structure.bytes(window)).isEqualTo(before);
    }

    private static void record(ConcurrentEventWindow window, long from, long count) {
        for (long time = from; time < from + count; time++) {
            window.record(time);
        }
    }

    private static void recordAndCount(ConcurrentEventWindow window, int from, int count, int every) {
        for (int time = from; time < from + count; time++) {
            window.record(time);
            if (time % every == 0) {
                window.count(time);
            }
        }
    }

    /** Returns what the threads have allocated in {@code record}. */
    private static long recordInTurns(ConcurrentEventWindow window, int from, int count) {
        long allocated = 0;
        for (int turn = from; turn < from + count; turn++) {
            long time = turn;
            allocated += RELAY.on(turn % Relay.THREADS, () -> Allocation.of(() -> window.record(time)));
        }
        return allocated;
    }

    private static void recordAndCount(ConcurrentEventWindow window, long from) {
        recordAndCount(window, from, 100_000);
    }

    private static void recordAndCount(ConcurrentEventWindow window, long from, int times) {
        for (long time = from; time < from + times; time++) {
            if (time % 2 == 0) {
                window.record(time);
            } else {
                window.tryRecord(time, 1_000);
            }
            window.tryRecord(time, 1);
            window.count(time + 400);
        }
    }
}
