package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When {@link StripeDemand} asks for another stripe, call by call. */
class StripeDemandTest {
    private final StripeDemand demand = new StripeDemand();

    private void calls(int number) {
        for (int i = 0; i < number; i++) {
            demand.countCall();
        }
    }

    /** Returns after how many contended records a stripe is to be added, or -1 if not after {@code most}. */
    private int contendedUntilWorth(int most) {
        for (int contended = 1; contended <= most; contended++) {
            if (demand.shouldAddStripe()) {
                return contended;
            }
        }
        return -1;
    }

    @Test
    void shouldAddStripe_noCalls_afterSixteenContendedRecords() {
        assertThat(contendedUntilWorth(100)).isEqualTo(16);
        assertThat(contendedUntilWorth(100)).as("again").isEqualTo(16);
    }

    /** A call for each two contended records is worth it; another one is not. */
    @Test
    void shouldAddStripe_manyCalls_whenContentionOutweighsThem() {
        calls(32);
        assertThat(contendedUntilWorth(100)).isEqualTo(16);
        calls(33);
        assertThat(contendedUntilWorth(100)).isEqualTo(17);
        calls(400);
        assertThat(contendedUntilWorth(1_000)).isEqualTo(200);
    }

    @Test
    void shouldAddStripe_afterAPeriodOfCalls_beginsAnew() {
        assertThat(contendedUntilWorth(15)).isEqualTo(-1);
        calls(4_097);
        assertThat(contendedUntilWorth(100)).isEqualTo(16);
        assertThat(contendedUntilWorth(15)).isEqualTo(-1);
        calls(4_096);
        assertThat(contendedUntilWorth(15)).isEqualTo(-1); // the period has not ended
    }
}
