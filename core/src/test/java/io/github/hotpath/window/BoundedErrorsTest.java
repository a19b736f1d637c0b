package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.files.ChildJvm;
import io.github.hotpath.internal.Arguments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a {@link StackOverflowError} or an {@link OutOfMemoryError} inside a call leaves: a window that counts right.
 */
@Tag("slow")
class BoundedErrorsTest {
    private static final long INTERVAL = 2_000;
    private static final double ERROR = 0.1;

    /** The latest time. */
    private static final long LATEST = 5_000;

    @Test
    void record_stackOverflows_isAsIfNotCalled() throws Exception {
        overflowIn(window -> window.record(LATEST + 10, 3), exact -> recordThree(exact, LATEST + 10));
    }

    @Test
    void record_outOfOrderAndStackOverflows_isAsIfNotCalled() throws Exception {
        overflowIn(window -> window.record(LATEST - 1_555, 3), exact -> recordThree(exact, LATEST - 1_555));
    }

    @Test
    void trim_stackOverflows_isAsIfNotCalled() throws Exception {
        overflowIn(window -> window.trim(LATEST + 777), exact -> exact.trim(LATEST + 777));
    }

    @Test
    void clear_stackOverflows_isAsIfNotCalled() throws Exception {
        overflowIn(BoundedEventWindow::clear, EventWindow::clear);
    }

    private static void recordThree(EventWindow exact, long nanos) {
        for (int i = 0; i < 3; i++) {
            exact.record(nanos);
        }
    }

    /** Makes the call on windows of many numbers of events, at every depth of the stack from the last one up. */
    private static void overflowIn(Consumer<BoundedEventWindow> call, Consumer<EventWindow> onExact) throws Exception {
        for (int events = 0; events < 400; events += 3) {
            BoundedEventWindow window = Windows.boundedOfNanos(INTERVAL, ERROR);
            EventWindow exact = Windows.ofNanos(INTERVAL);
            for (int i = events; i >= 0; i--) {
                window.record(LATEST - 10 * i);
                exact.record(LATEST - 10 * i);
            }
            FutureTask<Integer> attempts = new FutureTask<>(() -> attempts(() -> call.accept(window)));
            new Thread(null, attempts, "small stack", 200_000).start();

            assertThat(attempts.get()).as("the last of which succeeded").isGreaterThan(1);
            onExact.accept(exact);
            assertCounts(window, exact);
        }
    }

    /**
     * Calls itself until the stack ends, and on the way back, each time with a little more of the stack left, {@code
     * call} until that succeeds; returns how often.
     */
    private static int attempts(Runnable call) {
        int failed = 0;
        try {
            int attempts = attempts(call);
            if (attempts > 0) {
                return attempts;
            }
            failed = -attempts;
        } catch (StackOverflowError e) {
            // here is the end
        }
        try {
            call.run();
            return failed + 1;
        } catch (StackOverflowError e) {
            return -failed - 1;
        }
    }

    private static void assertCounts(BoundedEventWindow window, EventWindow exact) {
        window.checkInvariants(3);
        for (long nanos : new long[] {0, LATEST + 1_000}) {
            for (long span = 0; span <= INTERVAL; span += 5) {
                Duration duration = Duration.ofNanos(span);
                BoundedModel.checkBounds(
                        exact.count(nanos, duration),
                        window.countAtLeast(nanos, duration),
                        window.countAtMost(nanos, duration),
                        ERROR,
                        3);
            }
        }
    }

    @Test
    void record_noMemory_countsWhatWasRecorded(@TempDir Path temp) throws Exception {
        ChildJvm jvm = new ChildJvm(temp, BoundedEventWindow.class, Arguments.class, BoundedErrorsTest.class);

        assertThat(jvm.run(NoMemory.class, List.of("-Xmx16m"))).containsExactly("out of memory", "counts right");
    }

    /** Records until there is no memory, in a window so exact that it never merges buckets. */
    static final class NoMemory {
        private static byte[] reserve = new byte[4_000_000];

        private NoMemory() {}

        public static void main(String[] args) {
            BoundedEventWindow window = BoundedEventWindow.of(Duration.ofNanos(Long.MAX_VALUE), Double.MIN_VALUE);
            long recorded = 0;
            try {
                while (true) {
                    window.record(2 * recorded);
                    recorded++;
                }
            } catch (OutOfMemoryError e) {
                reserve = new byte[0];
                System.out.println("out of memory");
            }
            window.checkInvariants(0);
            boolean right =
                    reserve.length == 0 && window.countAtLeast(0) == recorded && window.countAtMost(0) == recorded;
            System.out.println(right ? "counts right" : window + ", not " + recorded);
        }
    }
}
