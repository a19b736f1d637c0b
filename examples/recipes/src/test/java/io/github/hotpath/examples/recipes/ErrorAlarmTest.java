package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.hotpath.examples.recipes.ErrorAlarm.Counts;
import io.github.hotpath.examples.recipes.ErrorAlarm.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Raised above 10 errors and 5 per cent, cleared at 4 errors or 2 per cent. */
class ErrorAlarmTest {
    private static final Duration SPAN = Duration.ofMinutes(1);
    private static final Level RAISE = new Level(10, 5);
    private static final Level CLEAR = new Level(4, 2);

    private final FakeClock clock = new FakeClock();
    private final ErrorAlarm alarm = new ErrorAlarm(SPAN, RAISE, CLEAR, clock);

    /** All of few, exactly the share, one over it, and between the levels. */
    @ParameterizedTest
    @CsvSource({"10, 0, false", "50, 950, false", "51, 949, true", "20, 500, false"})
    void update_atOnce_raisedAboveBoth(int errors, int others, boolean raised) {
        record(errors, others);

        assertThat(alarm.update()).isEqualTo(raised);
    }

    @Test
    void update_bothExceeded_raised() {
        record(11, 0);
        assertThat(alarm.update()).isTrue();

        record(40, 968); // 51 of 1019
        assertThat(alarm.update()).isTrue();
    }

    @Test
    void update_raisedAndBetweenTheLevels_staysRaised() {
        record(20, 200);
        assertThat(alarm.update()).isTrue();

        record(0, 300); // 20 of 520: 3.8 per cent
        assertThat(alarm.update()).isTrue();
    }

    @Test
    void update_shareDownToTheLowerLevel_cleared() {
        record(20, 200);
        assertThat(alarm.update()).isTrue();

        record(0, 779); // 20 of 999
        assertThat(alarm.update()).isTrue();
        record(0, 1);
        assertThat(alarm.update()).isFalse();
    }

    @Test
    void update_errorsDownToTheLowerLevel_cleared() {
        record(16, 0);
        clock.advance(Duration.ofSeconds(30));
        record(4, 0);
        assertThat(alarm.update()).isTrue();

        clock.advance(Duration.ofSeconds(30));
        assertThat(alarm.update()).isTrue(); // the first are exactly a minute old
        clock.advance(Duration.ofNanos(1));
        assertThat(alarm.update()).isFalse();
    }

    /** The errors hover about the upper level: without hysteresis the alarm changes each time. */
    @Test
    void update_errorsHover_oneChange() {
        ErrorAlarm nervous = new ErrorAlarm(SPAN, RAISE, RAISE, clock);
        int changes = 0;
        int nervousChanges = 0;
        boolean raised = false;
        boolean nervouslyRaised = false;
        for (int minute = 0; minute < 10; minute++) {
            for (int i = 0; i < 10 + minute % 2; i++) {
                alarm.record(true);
                nervous.record(true);
            }
            changes += raised == (raised = alarm.update()) ? 0 : 1;
            nervousChanges += nervouslyRaised == (nervouslyRaised = nervous.update()) ? 0 : 1;
            clock.advance(SPAN.plusNanos(1));
        }

        assertThat(changes).isEqualTo(1);
        assertThat(nervousChanges).isEqualTo(9);
    }

    @Test
    void counts_olderThanTheSpan_notCounted() {
        record(1, 0);
        clock.advance(SPAN);
        record(2, 4);

        assertThat(alarm.counts()).isEqualTo(new Counts(3, 7));
        clock.advance(Duration.ofNanos(1));
        assertThat(alarm.counts()).isEqualTo(new Counts(2, 6));
    }

    /** As a filter behind every request and a health check use it. */
    @Test
    void problem_statusesOfTheServersErrors_told() {
        IntStream.of(200, 302, 404, 429, 499).forEach(alarm::recordStatus);
        assertThat(alarm.counts()).isEqualTo(new Counts(0, 5));
        IntStream.range(0, 10).map(i -> 500 + i).forEach(alarm::recordStatus);
        assertThat(alarm.problem()).isEmpty();

        alarm.recordStatus(-1);

        assertThat(alarm.problem()).contains("11 errors in 16 events, in PT1M");
        clock.advance(SPAN.plusNanos(1));
        assertThat(alarm.problem()).isEmpty();
    }

    @Test
    void new_clearAboveRaise_rejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ErrorAlarm(SPAN, RAISE, new Level(10, 6), clock))
                .withMessage(
                        "clear: Level[errors=10, percent=6] (expected: not higher than Level[errors=10, percent=5])");
        assertThatIllegalArgumentException().isThrownBy(() -> new ErrorAlarm(SPAN, RAISE, new Level(11, 5), clock));
    }

    @ParameterizedTest
    @CsvSource({"-1, 5", "10, -1", "10, 101"})
    void level_outOfRange_rejected(long errors, int percent) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Level(errors, percent))
                .withMessage(errors + " errors, " + percent + " percent (expected: 0 or more, and 0 to 100)");
    }

    /**
     * Every event is an error, so a reading between the records of the two windows, or between their counts, would
     * show.
     */
    @Test
    void counts_whileAnotherThreadRecords_countsBelongTogether() throws Exception {
        AtomicBoolean read = new AtomicBoolean();
        FutureTask<Void> recording = new FutureTask<>(() -> {
            while (!read.get()) {
                alarm.record(true);
                clock.advance(Duration.ofMillis(100));
            }
            return null;
        });
        new Thread(recording).start();
        List<Counts> apart = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            Counts counts = alarm.counts();
            if (counts.errors() != counts.events()) {
                apart.add(counts);
            }
        }
        read.set(true);
        recording.get();

        assertThat(apart).isEmpty();
    }

    private void record(int errors, int others) {
        for (int i = 0; i < errors + others; i++) {
            alarm.record(i < errors);
        }
    }
}
