package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

/** What {@link BoundedEventWindow#checkInvariants} notices: the tests rely on it after each call. */
class BoundedInvariantsTest {
    private final BoundedEventWindow window = Windows.boundedOfNanos(999, 0.1);
    private final Object histogram = Fields.get(window, "histogram");

    private void fill() {
        for (long time = 0; time < 4_000; time += 2) {
            window.record(time);
        }
    }

    @Test
    void checkInvariants_wholeWindow_passes() {
        assertThatCode(() -> window.checkInvariants(0)).doesNotThrowAnyException();
        fill();
        assertThatCode(() -> window.checkInvariants(0)).doesNotThrowAnyException();
    }

    @Test
    void checkInvariants_placesOutsideTheArrays_areNoticed() {
        fill();
        int first = (int) Fields.get(histogram, "first");
        int end = (int) Fields.get(histogram, "end");
        assertNoticed("first", -1, "first or end outside the arrays");
        Fields.set(histogram, "first", first);
        assertNoticed("end", first - 1, "first or end outside the arrays");
        assertNoticed("end", times().length + 1, "first or end outside the arrays");
        Fields.set(histogram, "end", end);
        assertNoticed("earlier", new long[3], "arrays of different lengths");
    }

    @Test
    void checkInvariants_equalBoundaries_areNoticed() {
        fill();
        int first = (int) Fields.get(histogram, "first");
        times()[first + 1] = times()[first];
        assertNoticed("boundaries out of order");
    }

    @Test
    void checkInvariants_descendingNumbers_areNoticed() {
        fill();
        int first = (int) Fields.get(histogram, "first");
        earlier()[first + 1] = earlier()[first] - 1;
        assertNoticed("a bucket of fewer than no events");
    }

    @Test
    void checkInvariants_newestBucketEmpty_isNoticed() {
        fill();
        int end = (int) Fields.get(histogram, "end");
        assertNoticed("total", earlier()[end - 1], "a newest bucket without an event");
    }

    @Test
    void checkInvariants_wrongExpired_isNoticed() {
        fill();
        int first = (int) Fields.get(histogram, "first");
        assertNoticed("expired", 2_001L, "more expired than there were");
        assertNoticed("expired", earlier()[first] + 1, "more expired than are older");
    }

    @Test
    void checkInvariants_eventsWithoutABoundary_areNoticed() {
        assertNoticed("total", 1L, "events without a boundary");
    }

    @Test
    void checkInvariants_expiredBoundary_isNoticed() {
        fill();
        Fields.set(window, "latest", times()[(int) Fields.get(histogram, "first")] + 1_000);
        assertNoticed("a boundary that has expired");
    }

    @Test
    void checkInvariants_bucketTooLarge_isNoticedUnlessOutOfOrder() {
        window.record(0);
        window.record(10);
        window.record(20);
        earlier()[1] = 2;
        earlier()[2] = 3;
        Fields.set(histogram, "total", 4L);
        assertNoticed("a bucket that is too large");
        assertThatCode(() -> window.checkInvariants(2)).doesNotThrowAnyException();

        for (int i = 0; i < 3; i++) {
            earlier()[i] += 1_000; // of events long expired
        }
        Fields.set(histogram, "expired", 1_000L);
        Fields.set(histogram, "total", 1_004L);
        assertNoticed("a bucket that is too large");
    }

    @Test
    void checkInvariants_eventsWithoutLatestTime_areNoticed() {
        fill();
        Fields.set(window, "started", false);
        assertNoticed("events without a latest time");
    }

    private long[] times() {
        return (long[]) Fields.get(histogram, "times");
    }

    private long[] earlier() {
        return (long[]) Fields.get(histogram, "earlier");
    }

    private void assertNoticed(String field, Object broken, String message) {
        Fields.set(histogram, field, broken);
        assertNoticed(message);
    }

    private void assertNoticed(String message) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> window.checkInvariants(0))
                .withMessage(message);
    }
}
