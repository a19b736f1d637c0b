package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.testing.Fields;
import org.junit.jupiter.api.Test;

/** That {@code checkInvariants}, on which other tests rely after each call, can fail: one example of each class. */
class LimiterInvariantsTest {
    private static void assertNoticed(Runnable check) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(check::run);
    }

    private static Object get(Object part, String field) {
        return requireNonNull(Fields.get(part, field));
    }

    private static SlidingWindowLimiter ofThreePermits() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(9, 10), 0, 1, 2);
        assertThatCode(limiter::checkInvariants).doesNotThrowAnyException();
        return limiter;
    }

    @Test
    void checkInvariants_ofALogOrItsCursors_isNotedThatTheyAreBroken() {
        SlidingWindowLimiter entries = ofThreePermits();
        ((long[]) get(get(get(entries, "log"), "log"), "last"))[1] = 0; // out of order
        assertNoticed(entries::checkInvariants);

        SlidingWindowLimiter rules = ofThreePermits();
        Fields.set(get(rules, "log"), "lastSlot", 1L); // before the latest time
        assertNoticed(rules::checkInvariants);

        SlidingWindowLimiter cursor = ofThreePermits();
        Fields.set(get(get(cursor, "log"), "first"), "position", 1L); // after the begin of the window
        assertNoticed(cursor::checkInvariants);
    }

    @Test
    void checkInvariants_ofKeys_isNotedThatOneIsNotExamined() {
        KeyedLimiter<String> keyed = KeyedLimiter.of(Limit.of(1, nanos(10)));
        for (String key : new String[] {"a", "b", "c"}) {
            keyed.forKey(key).tryAcquire(0, 1);
        }
        assertThatCode(keyed::checkInvariants).doesNotThrowAnyException();
        requireNonNull(requireNonNull(keyed.table.map().get("b")).previous).next =
                keyed.table.map().get("c");

        assertNoticed(keyed::checkInvariants);
    }
}
