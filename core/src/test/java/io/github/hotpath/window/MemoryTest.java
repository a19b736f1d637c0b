package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.Allocation;
import io.github.hotpath.testing.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link EventWindow} allocates and retains, to the byte, where {@link ConcurrentEventWindow} differs. */
class MemoryTest {
    private static final int MILLION = 1_000_000;

    /** Three events have the same time and go together, also where the first of them is the last of its chunk. */
    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {9, 100, 600})
    void record_steadyInGroups_allocatesNothing(int n) {
        EventWindow window = Windows.ofNanos(n);
        recordGroups(window, 0, 3L * n + 10_000);

        Allocation.assertNone(() -> recordGroups(window, 3L * n + 10_000, 100_000));
    }

    /** A window that shrank with every lull would have to grow again. */
    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {1, 3, 5})
    void record_unevenInSmallWindow_allocatesNothing(int n) {
        EventWindow window = Windows.ofNanos(1_000L * n);
        recordUnevenly(window, 0);

        Allocation.assertNone(() -> recordUnevenly(window, 1_000_000_000));
    }

    /** A steady window has a chunk to spare most of the time, though not always. */
    @ParameterizedTest(name = "after {0} events")
    @ValueSource(ints = {30_000, 30_200, 30_400, 30_600, 30_800, 31_000})
    void record_threeLeftOfASteadyWindow_keepsLittle(int events) {
        EventWindow window = Windows.ofNanos(10_000);
        record(window, 0, events);

        assertThat(window.record(events + 9_998)).isEqualTo(3);

        assertThat(Memory.bytes(window)).isLessThanOrEqualTo(400);
    }

    /** Each record evicts a few, so that a chunk empties step by step: it must not be retained for the last three. */
    @ParameterizedTest(name = "of {0} events")
    @ValueSource(ints = {20, 50, 100, 150, 200, 300, 400, 500, 600, 1_000, 3_000})
    void record_threeLeftOneByOne_keepsLittle(int n) {
        for (int few = 2; few <= 9; few++) {
            EventWindow window = Windows.ofNanos(n - 1);
            record(window, 0, 100_000);

            long left = n;
            while (left > 3) {
                long lastToGo = window.toArray()[(int) Math.min(few, left - 2) - 1];
                left = window.record(lastToGo + n);
            }

            assertThat(Memory.bytes(window)).isLessThanOrEqualTo(400);
        }
    }

    /** Two chunks are nearly empty in the end, and the deque between them has been used. */
    @Test
    void record_sevenExpireForEach_takesAFewTimesItsEvents() {
        EventWindow window = Windows.ofNanos(3_752);
        record(window, 0, 3_753);
        long left = window.record(6_480);
        for (int i = 1; left > 150; i++) {
            left = window.record(6_480 + 7 * i);
            assertThat(Memory.bytes(window)).isLessThanOrEqualTo(400 + 16 * Long.BYTES * left);
        }

        window.trim(7_502);

        assertThat(Memory.bytes(window)).isLessThanOrEqualTo(400 + 4 * Long.BYTES * left);
    }

    /** The target is 16 KiB after ten million; here both are a tenth, so memory that grows with the events shows. */
    @ParameterizedTest(name = "but {0}")
    @ValueSource(ints = {0, 10})
    void record_manyExpiredAtOnce_givesTheirMemoryBack(int left) {
        EventWindow window = Windows.ofNanos(MILLION);
        record(window, 0, MILLION);

        assertThat(window.record(2L * MILLION - left)).isEqualTo(left + 1);

        assertThat(Memory.bytes(window)).isLessThanOrEqualTo(16 * 1024 / 10);
    }

    @Test
    void record_manyExpiredInSteps_givesTheirMemoryBackAtEach() {
        int n = 8 * MILLION; // so many that a deque of as many chunks would show
        EventWindow window = Windows.ofNanos(n);
        record(window, 0, n);

        for (long left = n / 2; left > 0; left /= 2) {
            assertThat(window.record(2L * n - left)).isGreaterThan(left);

            assertThat(Memory.bytes(window)).isLessThanOrEqualTo(82 * left / 10 + 3 * 8 * 1024 + 400);
        }
    }

    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {600, 5_000})
    void trim_steadyWindow_givesTheSpareBack(int n) {
        EventWindow window = Windows.ofNanos(n - 1);
        record(window, 0, 20_480);
        window.trim(20_479);

        long given = 0;
        for (long time = 20_480; time < 20_480 + 2 * 1_024; time += 64) {
            record(window, time, 64);
            long before = Memory.bytes(window);
            window.trim(time + 63);
            given += before - Memory.bytes(window);
        }

        assertThat(given).isEqualTo(2 * (16 + 8 * 1_024)); // two chunks have become free meanwhile
    }

    @Test
    void trim_threeLeftOfMore_keepsWhatThreeTake() {
        EventWindow window = Windows.ofNanos(100);
        record(window, 0, 40);

        window.trim(137);

        assertThatWindow(window).holds(37, 38, 39);
        assertThat(Memory.bytes(window)).isEqualTo(Memory.bytes(Windows.holding(100, 37, 38, 39)));
    }

    private static void record(EventWindow window, long from, long count) {
        for (long time = from; time < from + count; time++) {
            window.record(time);
        }
    }

    /** Gaps from 500 to 1500, by a generator that allocates nothing. */
    private static void recordUnevenly(EventWindow window, long from) {
        long nanos = from;
        int random = 1;
        for (int i = 0; i < 100_000; i++) {
            random = random * 1_103_515_245 + 12_345;
            nanos += 500 + (random >>> 16) % 1_001;
            window.record(nanos);
        }
    }

    private static void recordGroups(EventWindow window, long from, long count) {
        for (long time = from; time < from + count; time++) {
            window.record(time - time % 3);
        }
    }
}
