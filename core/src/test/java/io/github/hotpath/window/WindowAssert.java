package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.assertj.core.api.AbstractAssert;

/** Assertions about a whole window. */
final class WindowAssert extends AbstractAssert<WindowAssert, EventWindow> {
    private WindowAssert(EventWindow actual) {
        super(actual, WindowAssert.class);
    }

    static WindowAssert assertThatWindow(EventWindow actual) {
        return new WindowAssert(actual);
    }

    /** Its invariants hold, and these are the events in it at the latest time, oldest first. */
    WindowAssert holds(long... times) {
        isNotNull();
        Insides.check(actual);
        assertThat(actual.size()).as("events that are kept").isEqualTo(times.length);
        assertTimes(actual.toArray(), times, descriptionText());
        assertThat(actual.toString()).as(descriptionText()).endsWith("count=" + times.length + "]");
        return this;
    }

    /** There may be thousands, of which a failure tells those from the first that differs. */
    static void assertTimes(long[] actual, long[] expected, String description) {
        int from = Math.max(0, Arrays.mismatch(actual, expected));
        assertThat(part(actual, from))
                .as("%s from event %s on", description, from)
                .isEqualTo(part(expected, from));
    }

    private static long[] part(long[] times, int from) {
        return Arrays.copyOfRange(times, from, Math.min(from + 8, times.length));
    }

    /** Every field of it, and of all that it consists of, is as in that description. */
    WindowAssert isStill(String description) {
        isNotNull();
        assertThat(Insides.state(actual)).as(descriptionText()).isEqualTo(description);
        return this;
    }
}
