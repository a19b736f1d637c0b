package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link SlidingCounts} of a minute and a second, with watermarks that the test emits. */
class SlidingCountsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Subtasks subtasks = new Subtasks(MINUTE, SECOND);

    @BeforeEach
    void start() throws Exception {
        subtasks.start(2);
    }

    @AfterEach
    void close() throws Exception {
        subtasks.close();
    }

    @Test
    void count_oneEvent_inEachWindowItIsIn() throws Exception {
        subtasks.process(7, 1_234);
        subtasks.watermark(Long.MAX_VALUE);

        assertThat(subtasks.results()).hasSize(60).allMatch(result -> result.key() == 7 && result.count() == 1);
        assertThat(subtasks.results()).extracting(Count::end).startsWith(2_000L).endsWith(61_000L);
    }

    @ParameterizedTest
    @CsvSource({"60000, 61000, 120000", "59999, 60000, 119000", "-1, 0, 59000", "0, 1000, 60000"})
    void count_eventBesideAnEnd_inTheWindowsFromThere(long time, long first, long last) throws Exception {
        subtasks.process(7, time);
        subtasks.watermark(Long.MAX_VALUE);

        assertThat(subtasks.results()).extracting(Count::end).startsWith(first).endsWith(last);
    }

    @Test
    void count_watermarkBeforeTheLastMillisecond_waits() throws Exception {
        subtasks.process(7, 500);

        subtasks.watermark(998);
        assertThat(subtasks.results()).isEmpty();
        subtasks.watermark(999);
        assertThat(subtasks.results()).containsExactly(new Count<>(7L, 1_000, 1));
    }

    @Test
    void count_eventBehindTheWatermark_inWindowsThatAreStillToCome() throws Exception {
        subtasks.process(7, 500);
        subtasks.watermark(2_100);
        subtasks.process(7, 600);
        subtasks.watermark(3_100);

        assertThat(subtasks.results())
                .containsExactly(new Count<>(7L, 1_000, 1), new Count<>(7L, 2_000, 1), new Count<>(7L, 3_000, 2));
    }

    @Test
    void count_eventBehindAllItsWindows_isIgnored() throws Exception {
        subtasks.watermark(60_999);
        subtasks.process(7, 1_999);
        subtasks.process(8, 2_000);
        subtasks.watermark(Long.MAX_VALUE);

        assertThat(subtasks.results()).containsExactly(new Count<>(8L, 62_000, 1));
    }

    /** In a single window, the event at 1000 s would evict the others before they are counted. */
    @Test
    void count_oneEventFarAhead_othersAreCounted() throws Exception {
        subtasks.process(7, 500);
        subtasks.process(7, 1_000_000);
        subtasks.process(7, 1_500);

        subtasks.watermark(2_000);
        assertThat(subtasks.results()).containsExactly(new Count<>(7L, 1_000, 1), new Count<>(7L, 2_000, 2));
        subtasks.watermark(Long.MAX_VALUE);
        assertThat(subtasks.results()).hasSize(61 + 60).last().isEqualTo(new Count<>(7L, 1_060_000, 1));
    }

    @Test
    void state_keysThatAreIdle_isGone() throws Exception {
        for (int key = 0; key < 50; key++) {
            subtasks.process(key, 1_000 + key);
        }
        subtasks.watermark(60_999);
        assertThat(subtasks.stateEntries()).isEqualTo(50);

        subtasks.watermark(61_999);

        assertThat(subtasks.stateEntries()).isZero();
        assertThat(subtasks.timers()).isZero();
    }

    /** There is no watermark yet, but all windows up to 101 s were counted. */
    @Test
    void count_lateEventsAfterARestart_noWindowIsCountedAgain() throws Exception {
        subtasks.process(7, 1_000);
        subtasks.process(8, 100_000);
        subtasks.watermark(100_999);
        List<Count<Long>> before = subtasks.results();

        subtasks.restart(subtasks.checkpoint(), 2);
        subtasks.process(7, 1_500); // is in windows up to 61 s; its key is idle since then
        subtasks.process(9, 50_000); // is in windows up to 110 s; its key is new
        subtasks.watermark(101_999);

        assertThat(after(before)).containsExactlyInAnyOrder(new Count<>(8L, 102_000, 1), new Count<>(9L, 102_000, 1));
    }

    /** A subtask that had no event since it was restored passes on the watermark that it was restored with. */
    @Test
    void count_lateEventAfterRestartsWithoutAny_noWindowIsCountedAgain() throws Exception {
        subtasks.process(7, 1_000);
        subtasks.watermark(100_000);
        List<Count<Long>> before = subtasks.results();

        subtasks.restart(subtasks.checkpoint(), 3);
        subtasks.restart(subtasks.checkpoint(), 1);
        subtasks.process(7, 1_500);
        subtasks.watermark(101_000);

        assertThat(after(before)).isEmpty();
    }

    /** After {@code flink stop --drain} all windows were counted, and the watermark is one that no event can reach. */
    @Test
    void count_restartAfterADrain_beginsAnew() throws Exception {
        subtasks.process(7, 1_000);
        subtasks.watermark(Long.MAX_VALUE);
        List<Count<Long>> before = subtasks.results();

        subtasks.restart(subtasks.checkpoint(), 2);
        subtasks.process(8, 100_000);
        subtasks.watermark(100_999);
        subtasks.process(7, 1_500); // is late
        subtasks.watermark(101_999);

        assertThat(after(before)).containsExactly(new Count<>(8L, 101_000, 1), new Count<>(8L, 102_000, 1));
        assertThat(subtasks.metric(SlidingCounts.DROPPED_METRIC)).isEqualTo(1);
    }

    /** Flink writes a checkpoint while events arrive, so it must write copies of their windows. */
    @Test
    void checkpoint_eventsComeWhileItIsWritten_hasThoseOfBefore() throws Exception {
        subtasks.process(7, 500);
        subtasks.watermark(999);
        subtasks.process(7, 1_500);

        List<OperatorSnapshotFutures> checkpoint = subtasks.beginCheckpoint();
        subtasks.process(7, 1_600);
        subtasks.watermark(1_999);
        subtasks.process(7, 2_700);
        subtasks.watermark(2_999);
        Subtasks.Checkpoint written = Subtasks.written(checkpoint);
        List<Count<Long>> before = subtasks.results();

        assertThat(before).contains(new Count<>(7L, 2_000, 3), new Count<>(7L, 3_000, 4));
        subtasks.restart(written, 2);
        subtasks.watermark(2_999);
        assertThat(after(before)).containsExactly(new Count<>(7L, 2_000, 2), new Count<>(7L, 3_000, 2));
    }

    /** The job is not started again, since the next start would fail as well. */
    @ParameterizedTest
    @CsvSource({"PT61S, PT1S, size: PT1M1S (expected: PT1M", "PT1M, PT2S, slide: PT2S (expected: PT1S"})
    void restart_otherWindows_isRejected(Duration size, Duration slide, String message) throws Exception {
        subtasks.process(7, 500);
        Subtasks others = new Subtasks(size, slide);

        assertThatExceptionOfType(SuppressRestartsException.class)
                .isThrownBy(() -> others.restart(subtasks.checkpoint(), 3))
                .havingRootCause()
                .withMessage(message + ", with which the state was made)");
    }

    /** None; now in microseconds; and of 2116, the first that does not fit. */
    @ParameterizedTest
    @ValueSource(longs = {TimestampAssigner.NO_TIMESTAMP, 1_763_640_000_000_000L, 4_611_686_018_428L})
    void process_timeThatDoesNotFit_isRejected(long time) throws Exception {
        assertThatIllegalStateException()
                .isThrownBy(() -> subtasks.process(7, time))
                .withMessage("timestamp: " + time + " (expected: milliseconds of the epoch, from 1824 to 2115)");
        assertThat(subtasks.stateEntries()).isZero();
    }

    /** A count that falls after a minute, as that of any other time. */
    @ParameterizedTest
    @ValueSource(longs = {-4_611_686_018_427L, 4_611_686_018_427L})
    void count_farthestTimes_inTheWindowsOfAMinute(long time) throws Exception {
        subtasks.process(7, time);
        subtasks.watermark(Long.MAX_VALUE);

        assertThat(subtasks.results()).hasSize(60).allMatch(result -> result.count() == 1);
        assertThat(subtasks.stateEntries()).isZero();
    }

    @Test
    void metrics_lateEvents_areCountedByWhatTheyMiss() throws Exception {
        subtasks.watermark(60_999);
        subtasks.process(7, 61_000); // on time
        subtasks.process(7, 60_999); // in all windows but one
        subtasks.process(8, 2_000); // in one window
        subtasks.process(7, 1_999); // in none
        subtasks.process(8, -5_000);

        assertThat(subtasks.metric(SlidingCounts.LATE_METRIC)).isEqualTo(2);
        assertThat(subtasks.metric(SlidingCounts.DROPPED_METRIC)).isEqualTo(2);
        assertThat(subtasks.dropped()).containsExactlyInAnyOrder(new Event(7, 1_999), new Event(8, -5_000));
    }

    /** Windows of a second, each ten seconds: most events are in none, but not because they are late. */
    @Test
    void metrics_eventBetweenWindows_isNotLate() throws Exception {
        Subtasks others = new Subtasks(SECOND, SECOND.multipliedBy(10));
        others.start(1);
        others.process(7, 8_999);
        others.process(7, 9_000);
        others.watermark(9_999);
        others.process(7, 8_999);
        others.process(7, 9_000);

        assertThat(others.results()).containsExactly(new Count<>(7L, 10_000, 1));
        assertThat(others.metric(SlidingCounts.LATE_METRIC)).isZero();
        assertThat(others.dropped()).containsExactly(new Event(7, 9_000));
        others.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0000001S"})
    void new_notWholeMilliseconds_isRejected(Duration duration) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlidingCounts<>(duration, SECOND))
                .withMessage("size: " + duration + " (expected: a positive number of whole milliseconds)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlidingCounts<>(MINUTE, duration))
                .withMessage("slide: " + duration + " (expected: a positive number of whole milliseconds)");
    }

    private List<Count<Long>> after(List<Count<Long>> before) {
        List<Count<Long>> results = subtasks.results();
        return results.subList(before.size(), results.size());
    }
}
