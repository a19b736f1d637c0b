package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@link Invariants} notices: the tests rely on it after each call. */
class InvariantsTest {

    @Test
    void check_wholeWindow_passes() {
        assertThatCode(() -> Invariants.check(large())).doesNotThrowAnyException();
    }

    @Test
    void check_wrongSize_isNoticed() {
        assertNoticed(large(), "size", 1L, "size is not what the chunks hold");
    }

    @Test
    void check_headBeforeItsChunk_isNoticed() {
        EventWindow window = Windows.holding(10, 1, 2);
        set(log(window), "size", 3L);
        assertNoticed(window, "head", -1, "head or tail outside its chunk");
    }

    @Test
    void check_headBehindItsChunk_isNoticed() {
        EventWindow window = large();
        int length = ((long[]) get(log(window), "first")).length;
        set(log(window), "size", (long) get(log(window), "size") - length + (int) get(log(window), "head"));
        assertNoticed(window, "head", length, "head or tail outside its chunk");
    }

    @Test
    void check_tailAtItsChunksStart_isNoticed() {
        EventWindow window = large();
        set(log(window), "size", (long) get(log(window), "size") - (int) get(log(window), "tail"));
        assertNoticed(window, "tail", 0, "head or tail outside its chunk");
    }

    @Test
    void check_tailBehindItsChunk_isNoticed() {
        EventWindow window = Windows.holding(10, 1, 2);
        set(log(window), "size", 9L);
        assertNoticed(window, "tail", 9, "head or tail outside its chunk");
    }

    @Test
    void check_emptyWithHead_isNoticed() {
        EventWindow window = Windows.ofNanos(10);
        set(log(window), "head", 1);
        assertNoticed(window, "tail", 1, "an empty log with a chunk in use");
    }

    @Test
    void check_emptyWithTwoChunks_isNoticed() {
        EventWindow window = Windows.ofNanos(10);
        assertNoticed(window, "last", new long[0], "an empty log with a chunk in use");
    }

    @Test
    void check_emptyWithChunk_isNoticed() {
        EventWindow window = Windows.ofNanos(10);
        long[] chunk = new long[8];
        set(log(window), "first", chunk);
        assertNoticed(window, "last", chunk, "an empty log with a chunk in use");
    }

    @Test
    void check_middleOfOneChunk_isNoticed() {
        EventWindow window = Windows.holding(10, 1, 2);
        ArrayDeque<long[]> middle = new ArrayDeque<>();
        middle.add(new long[8]);
        assertNoticed(window, "middle", middle, "a middle without two ends");
    }

    @Test
    void check_wrongCapacity_isNoticed() {
        assertNoticed(large(), "capacity", 1, "a middle larger than its capacity");
        assertNoticed(Windows.holding(10, 1, 2), "capacity", 1, "a capacity without a deque");
    }

    @Test
    void check_spareOfWrongLength_isNoticed() {
        String message = "a spare that is not of full length";
        assertNoticed(large(), "spare", new long[8], message);
        assertNoticed(Windows.ofNanos(10), "spare", new long[1024], "an empty log with memory to spare");
    }

    @Test
    void check_eventsOutOfOrder_isNoticed() {
        EventWindow window = Windows.holding(10, 1, 2, 3);
        long[] chunk = (long[]) get(log(window), "first");
        chunk[0] = 3;
        chunk[1] = 2;
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Invariants.check(window))
                .withMessage("events out of order");
    }

    @Test
    void check_eventsWithoutLatestTime_isNoticed() {
        EventWindow window = Windows.holding(10, 1, 2);
        assertNoticed(window, window, "started", false, "events without a latest time");
    }

    @Test
    void check_brokenStripe_isNoticed() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(10);
        window.separate(window.stripe());
        set(window.stripe().window.log(), "capacity", 1);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Invariants.check(window))
                .withMessage("an empty log with memory to spare");
    }

    /** Returns a window of several chunks, and a spare one. */
    private static EventWindow large() {
        EventWindow window = Windows.ofNanos(10_000);
        for (long time = 0; time < 30_000 || get(log(window), "spare") == null; time++) {
            window.record(time);
        }
        return window;
    }

    private static void assertNoticed(EventWindow window, String field, Object broken, String message) {
        assertNoticed(window, log(window), field, broken, message);
    }

    private static void assertNoticed(EventWindow window, Object part, String field, Object broken, String message) {
        set(part, field, broken);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Invariants.check(window))
                .withMessage(message);
    }

    private static Object log(EventWindow window) {
        return get(window, "log");
    }

    private static @Nullable Object get(Object part, String name) {
        try {
            return field(part, name).get(part);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static void set(Object part, String name, Object value) {
        try {
            field(part, name).set(part, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Field field(Object part, String name) {
        try {
            Field field = part.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }
}
