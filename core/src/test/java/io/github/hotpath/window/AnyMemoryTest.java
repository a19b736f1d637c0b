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

/** What {@link EventWindow} and {@link ConcurrentEventWindow} alike allocate and retain, to the byte. */
@ParameterizedClass
@EnumSource(
        value = Kind.class,
        names = {"EXACT", "CONCURRENT"})
class AnyMemoryTest {
    private static final int MILLION = 1_000_000;

    @Parameter
    Kind kind;

    static IntStream sizes() {
        return IntStream.of(
                1, 2, 3, 7, 8, 9, 40, 100, 255, 257, 511, 512, 513, 600, 1_024, 1_025, 1_500, 2_049, 10_000);
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

    @Test
    void record_threeEvents_keepsLittle() {
        AnyWindow window = kind.ofNanos(10);

        record(window, 0, 3);

        assertThat(window.toArray().get()).containsExactly(0, 1, 2);
        assertThat(window.bytes()).isLessThanOrEqualTo(kind == Kind.CONCURRENT ? 260 : 200);
    }

    @Test
    void record_threeLeftOfManyAtOnce_keepsLittle() {
        AnyWindow window = kind.ofNanos(100_000);
        record(window, 0, 100_000);

        window.recordAndCount().applyAsLong(199_998);

        assertThat(window.toArray().get()).containsExactly(99_998, 99_999, 199_998);
        assertThat(window.bytes()).isLessThanOrEqualTo(400);
    }

    @Test
    void record_many_keepsLittleMoreThanEightBytesForEach() {
        AnyWindow window = kind.ofNanos(MILLION);

        long allocated = Allocation.of(() -> record(window, 0, MILLION));

        assertThat(window.toArray().get()).hasSize(MILLION);
        assertThat(allocated).isLessThanOrEqualTo(MILLION * 82L / 10); // so nothing was copied on the way
        assertThat(window.bytes()).isLessThanOrEqualTo(MILLION * 82L / 10);
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
}
