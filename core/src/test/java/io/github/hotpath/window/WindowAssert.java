package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(actual.toArray()).as(descriptionText()).isEqualTo(times);
        assertThat(actual.toString()).as(descriptionText()).endsWith("count=" + times.length + "]");
        return this;
    }

    /** Every field of it, and of all that it consists of, is as in that description. */
    WindowAssert isStill(String description) {
        isNotNull();
        assertThat(Insides.state(actual)).as(descriptionText()).isEqualTo(description);
        return this;
    }
}
