package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code checkInvariants} notices: the tests rely on it after each call. */
class InvariantsTest {
    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of(9_999, "size", 1L, "size is not what the chunks hold"),
                Arguments.of(9_999, "head", -1, "head or tail outside its chunk"),
                Arguments.of(9_999, "head", 1_024, "head or tail outside its chunk"),
                Arguments.of(9_999, "tail", 0, "head or tail outside its chunk"),
                Arguments.of(9_999, "tail", 1_025, "head or tail outside its chunk"),
                Arguments.of(9_999, "capacity", 1, "a middle larger than its capacity"),
                Arguments.of(9_999, "spare", new long[8], "a spare that is not of full length"),
                Arguments.of(3, "middle", new ArrayDeque<>(List.of(new long[8])), "a middle without two ends"),
                Arguments.of(3, "capacity", 1, "a middle larger than its capacity"),
                Arguments.of(0, "head", 1, "an empty log with a chunk in use"),
                Arguments.of(0, "last", new long[0], "an empty log with a chunk in use"),
                Arguments.of(0, "spare", new long[1_024], "an empty log with memory to spare"));
    }

    @ParameterizedTest(name = "{0} events, {1}: {3}")
    @MethodSource("broken")
    void checkInvariants_brokenField_isNoticed(int events, String field, Object value, String message) {
        EventWindow window = Windows.ofNanos(10_000);
        for (long time = 0; time < events; time++) {
            window.record(time);
        }
        assertThatCode(window::checkInvariants).doesNotThrowAnyException();

        Fields.set(window.log(), field, value);

        assertNoticed(window::checkInvariants, message);
    }

    @Test
    void checkInvariants_eventsOutOfOrder_areNoticed() {
        EventWindow window = Windows.holding(10, 1, 2, 3);
        window.log().firstChunk()[0] = 4;

        assertNoticed(window::checkInvariants, "events out of order");
    }

    @Test
    void checkInvariants_eventsWithoutLatestTime_areNoticed() {
        EventWindow window = Windows.holding(10, 1, 2);
        Fields.set(window, "started", false);

        assertNoticed(window::checkInvariants, "events without a latest time");
    }

    @Test
    void checkInvariants_brokenStripe_isNoticed() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(10);
        window.separate(window.stripe());
        assertThatCode(window::checkInvariants).doesNotThrowAnyException();
        Fields.set(window.stripe().window.log(), "capacity", 1);

        assertNoticed(window::checkInvariants, "an empty log with memory to spare");
    }

    private static void assertNoticed(Runnable check, String message) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(check::run).withMessage(message);
    }
}
