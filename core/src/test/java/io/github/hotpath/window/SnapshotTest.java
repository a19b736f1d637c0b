package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** From a {@link ConcurrentEventWindow} to an {@link EventWindow}, and back, as over a restart. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class SnapshotTest {
    private static final long INTERVAL = 1L << 60;

    @AutoClose
    private static final Relay RELAY = new Relay();

    /** Whether there are several stripes. */
    @Parameter
    boolean several;

    private ConcurrentEventWindow window(long interval) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(interval);
        if (several) {
            RELAY.spread(window);
        }
        return window;
    }

    private static void recordInTurns(ConcurrentEventWindow window, int count) {
        for (int turn = 0; turn < count; turn++) {
            long time = turn;
            RELAY.run(turn % Relay.THREADS, () -> window.record(time));
        }
    }

    @Test
    void snapshotAndOf_anyWindow_areWindowsOfTheirOwn() {
        ConcurrentEventWindow window = window(INTERVAL);
        recordInTurns(window, 5_000);

        EventWindow snapshot = window.snapshot();
        ConcurrentEventWindow copy = ConcurrentEventWindow.of(snapshot);
        snapshot.record(6_000);
        snapshot.record(1_700);
        window.record(5_000);
        window.record(1_600);
        copy.record(7_000);
        copy.record(1_800);

        assertThatWindow(snapshot).holds(withThese(1_700, 6_000));
        assertThatWindow(window.snapshot()).holds(withThese(1_600, 5_000));
        assertThatWindow(copy.snapshot()).holds(withThese(1_800, 7_000));
        assertThat(snapshot.interval()).isEqualTo(window.interval()).isEqualTo(copy.interval());
    }

    private static long[] withThese(long... more) {
        return LongStream.concat(LongStream.range(0, 5_000), LongStream.of(more))
                .sorted()
                .toArray();
    }

    /** The one line each way of the guide. */
    @Test
    void writtenAndRead_byAnotherClock_countsAsTheOriginal() throws IOException {
        ConcurrentEventWindow window = window(3_000);
        recordInTurns(window, 5_000);
        window.trim(5_001);

        ConcurrentEventWindow read = ConcurrentEventWindow.of(Windows.FORM.shifted(window.snapshot(), 1_000_000));

        for (long nanos : new long[] {0, 5_001, 6_000, 7_998, 8_000}) {
            assertThat(read.count(1_000_000 + nanos)).isEqualTo(window.count(nanos));
        }
        assertThat(read.recordAndCount(1_000_000 + 5_001 - 3_001)).isEqualTo(2_999); // too late
    }

    @Test
    void snapshotAndOf_new_haveNoLatestTime() {
        EventWindow snapshot = window(INTERVAL).snapshot();

        assertThat(Insides.state(snapshot)).isEqualTo(Insides.state(Windows.ofNanos(INTERVAL)));
        assertThat(ConcurrentEventWindow.of(snapshot).recordAndCount(-INTERVAL)).isEqualTo(1);
    }

    @Test
    void snapshotAndOf_afterATrim_haveItsTime() {
        ConcurrentEventWindow window = window(INTERVAL);
        window.trim(5);

        assertThat(window.snapshot().record(4 - INTERVAL)).isZero();
        assertThat(window.snapshot().record(5 - INTERVAL)).isEqualTo(1);
        assertThat(ConcurrentEventWindow.of(window.snapshot()).recordAndCount(4 - INTERVAL))
                .isZero();
    }

    @Test
    void of_null_isRejected() {
        assertThatNullPointerException()
                .isThrownBy(() -> ConcurrentEventWindow.of((EventWindow) null))
                .withMessage("window");
    }
}
