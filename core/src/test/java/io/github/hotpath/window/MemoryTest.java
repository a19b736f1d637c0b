package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.Allocation;
import io.github.hotpath.window.AnyWindow.Kind;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link EventWindow} and {@link ConcurrentEventWindow} alike allocate and retain, to the byte. */
@ParameterizedClass
@EnumSource(
        value = Kind.class,
        names = {"EXACT", "CONCURRENT"})
class MemoryTest {
    private static final int MILLION = 1_000_000;

    @Parameter
    Kind kind;

    static IntStream sizes() {
        return IntStream.of(1, 2, 7, 8, 9, 100, 257, 511, 512, 513, 600, 1_024, 1_025, 2_049, 10_000);
    }

    @ParameterizedTest(name = "{0} events")
    @MethodSource("sizes")
    void record_steady_allocatesNothing(int n) {
        AnyWindow window = kind.ofNanos(n - 1);
        record(window, 0, 3L * n + 10_000);

        Allocation.assertNone(() -> record(window, 3L * n + 10_000, 100_000));
    }

    @Test
    void recordAndCountAndOthers_steady_allocateNothing() {
        AnyWindow window = kind.ofNanos(999);
        askAndRecord(window, 0);

        Allocation.assertNone(() -> askAndRecord(window, 100_000));
    }

    /** A window that shrank with every lull would have to grow again. */
    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {1, 3, 5})
    void record_unevenInSmallWindow_allocatesNothing(int n) {
        AnyWindow window = kind.ofNanos(1_000L * n);
        recordUnevenly(window, 0);

        Allocation.assertNone(() -> recordUnevenly(window, 1_000_000_000));
    }

    @Test
    void record_threeEvents_keepsLittle() {
        AnyWindow window = kind.ofNanos(10);

        record(window, 0, 3);

        assertThat(window.bytes()).isLessThanOrEqualTo(200 + stripeBytes());
    }

    /** Each record evicts a few, so that a chunk empties step by step: it must not be retained for the last three. */
    @ParameterizedTest(name = "of {0} events")
    @ValueSource(ints = {20, 50, 100, 300, 500, 1_000, 3_000})
    void record_threeLeftOneByOne_keepsLittle(int n) {
        for (int few = 2; few <= 9; few++) {
            AnyWindow window = kind.ofNanos(n - 1);
            record(window, 0, 100_000);

            long left = n;
            while (left > 3) {
                long lastToGo = window.toArray().get()[(int) Math.min(few, left - 2) - 1];
                left = window.recordAndCount().applyAsLong(lastToGo + n);
            }

            assertThat(window.bytes()).isLessThanOrEqualTo(400 + stripeBytes());
        }
    }

    @Test
    void record_many_keepsLittleMoreThanEightBytesForEach() {
        AnyWindow window = kind.ofNanos(MILLION);

        long allocated = Allocation.of(() -> record(window, 0, MILLION));

        assertThat(allocated).isLessThanOrEqualTo(MILLION * 82L / 10); // so nothing was copied on the way
        assertThat(window.bytes()).isLessThanOrEqualTo(MILLION * 82L / 10);
    }

    /** The target is 16 KiB after ten million; here both are a tenth, so memory that grows with the events shows. */
    @ParameterizedTest(name = "but {0}")
    @ValueSource(ints = {0, 10})
    void record_manyExpiredAtOnce_givesTheirMemoryBack(int left) {
        AnyWindow window = kind.ofNanos(MILLION);
        record(window, 0, MILLION);

        assertThat(window.recordAndCount().applyAsLong(2L * MILLION - left)).isEqualTo(left + 1);

        assertThat(window.bytes()).isLessThanOrEqualTo(16 * 1024 / 10);
    }

    @Test
    void record_manyExpiredInSteps_givesTheirMemoryBackAtEach() {
        int n = 8 * MILLION; // so many that a deque of as many chunks would show
        AnyWindow window = kind.ofNanos(n);
        record(window, 0, n);

        for (long left = n / 2; left > 0; left /= 2) {
            window.record().accept(2L * n - left);

            assertThat(window.bytes()).isLessThanOrEqualTo(82 * left / 10 + 3 * 8 * 1024 + 400);
        }
    }

    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {600, 5_000})
    void trim_steadyWindow_givesTheSpareBack(int n) {
        AnyWindow window = kind.ofNanos(n - 1);
        record(window, 0, 20_480);
        window.trim().accept(20_479);

        long given = 0;
        for (long time = 20_480; time < 20_480 + 2 * 1_024; time += 64) {
            record(window, time, 64);
            long before = window.bytes();
            window.trim().accept(time + 63);
            given += before - window.bytes();
        }

        assertThat(given).isEqualTo(2 * (16 + 8 * 1_024)); // two chunks have become free meanwhile
    }

    /** So many that a record would not release the rest of their chunk. */
    @Test
    void trim_tenLeftOfMore_releasesTheRest() {
        AnyWindow window = kind.ofNanos(100);
        record(window, 0, 40);
        long before = window.bytes();

        window.trim().accept(130);

        assertThat(window.bytes()).isLessThan(before);
    }

    /** What a window with a lock, and its stripe, take beside the window. */
    private int stripeBytes() {
        return kind == Kind.CONCURRENT ? 60 : 0;
    }

    private static void record(AnyWindow window, long from, long count) {
        for (long time = from; time < from + count; time++) {
            window.record().accept(time);
        }
    }

    private static void askAndRecord(AnyWindow window, long from) {
        for (long time = from; time < from + 100_000; time++) {
            window.recordAndCount().applyAsLong(time);
            window.count().applyAsLong(time + 400);
        }
    }

    /** Gaps from 500 to 1500, by a generator that allocates nothing. */
    private static void recordUnevenly(AnyWindow window, long from) {
        long nanos = from;
        int random = 1;
        for (int i = 0; i < 100_000; i++) {
            random = random * 1_103_515_245 + 12_345;
            nanos += 500 + (random >>> 16) % 1_001;
            window.record().accept(nanos);
        }
    }
}
