package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@link EventWindow#record} returns after a {@link StackOverflowError} in an earlier call. */
@Tag("slow")
class EventWindowErrorsTest {
    private static final long INTERVAL = 3_000;
    private static final int WINDOWS = 400;

    @Test
    void record_outOfOrderAfterAnOverflow_returnsTheCount() throws Exception {
        for (EventWindow window : overflowed(window -> window.record(2 * INTERVAL + 1_500))) {
            assertCountsOneMore(window, 2 * INTERVAL - 5);
            assertCountsOneMore(window, 2 * INTERVAL - 1_200);
        }
    }

    @Test
    void record_ignoredAfterAnOverflow_returnsTheCount() throws Exception {
        for (EventWindow window : overflowed(window -> window.record(4 * INTERVAL))) {
            assertThat(window.record(0)).isEqualTo(window.toArray().length);
        }
    }

    @Test
    void record_afterAnOverflowInTrim_returnsTheCount() throws Exception {
        for (EventWindow window : overflowed(window -> window.trim(2 * INTERVAL + 1_500))) {
            assertCountsOneMore(window, 2 * INTERVAL - 5);
        }
    }

    private static void assertCountsOneMore(EventWindow window, long nanos) {
        long before = window.toArray().length;
        assertThat(window.record(nanos)).isEqualTo(before + 1).isEqualTo(window.toArray().length);
    }

    /** Returns windows on each of which {@code call} has overflowed the stack once, in different places. */
    private static List<EventWindow> overflowed(Consumer<EventWindow> call) throws Exception {
        List<EventWindow> overflowed = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            EventWindow[] windows = new EventWindow[WINDOWS / 4];
            for (int i = 0; i < windows.length; i++) {
                windows[i] = full();
            }
            Bottom bottom = new Bottom(windows, call);
            Thread thread = new Thread(null, bottom, "small stack", 160 << 10);
            thread.start();
            thread.join();
            assertThat(bottom.next).as("overflows, and a call that did not").isGreaterThan(1);
            overflowed.addAll(List.of(windows).subList(0, bottom.next - 1));
        }
        return overflowed;
    }

    /** Returns a window of several chunks, with events of a late source. */
    private static EventWindow full() {
        EventWindow window = Windows.ofNanos(INTERVAL);
        for (long time = 0; time <= 2 * INTERVAL; time++) {
            window.record(time);
        }
        for (long time = -2_900; time < -2_800; time++) {
            window.record(2 * INTERVAL + time);
        }
        return window;
    }

    /** Descends to the end of the stack, and on the way back makes the call, each time on another window. */
    private static final class Bottom implements Runnable {
        private final EventWindow[] windows;
        private final Consumer<EventWindow> call;

        /** The number of windows on which the call was made: it has overflowed on all but the last. */
        private int next;

        private boolean returned;

        Bottom(EventWindow[] windows, Consumer<EventWindow> call) {
            this.windows = windows;
            this.call = call;
        }

        @Override
        public void run() {
            try {
                run();
            } catch (StackOverflowError e) {
                // here is the end
            }
            if (!returned) {
                next++;
                call.accept(windows[next - 1]);
                returned = true;
            }
        }
    }
}
