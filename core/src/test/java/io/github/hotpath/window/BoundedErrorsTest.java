package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
        overflowIn(window -> window.record(LATEST + 10, 3), model -> model.record(LATEST + 10, 3));
    }

    @Test
    void record_outOfOrderAndStackOverflows_isAsIfNotCalled() throws Exception {
        overflowIn(window -> window.record(LATEST - 1_555, 3), model -> model.record(LATEST - 1_555, 3));
    }

    @Test
    void trim_stackOverflows_isAsIfNotCalled() throws Exception {
        overflowIn(window -> window.trim(LATEST + 777), model -> model.trim(LATEST + 777));
    }

    @Test
    void clear_stackOverflows_isAsIfNotCalled() throws Exception {
        overflowIn(BoundedEventWindow::clear, BoundedModel::clear);
    }

    /** Makes the call on windows of many numbers of events, at every depth of the stack from the last one up. */
    private static void overflowIn(Consumer<BoundedEventWindow> call, Consumer<BoundedModel> onModel) throws Exception {
        for (int events = 0; events < 400; events += 3) {
            BoundedEventWindow window = Windows.boundedOfNanos(INTERVAL, ERROR);
            BoundedModel model = new BoundedModel(INTERVAL, ERROR);
            for (int i = events; i >= 0; i--) {
                window.record(LATEST - 10 * i);
                model.record(LATEST - 10 * i, 1);
            }
            FutureTask<Integer> attempts = new FutureTask<>(() -> attempts(() -> call.accept(window)));
            new Thread(null, attempts, "small stack", 200_000).start();

            assertThat(attempts.get()).as("the last of which succeeded").isGreaterThan(1);
            onModel.accept(model);
            model.check(window, 0);
            for (long span = 0; span <= INTERVAL; span += 5) {
                model.check(window, 0, span);
                model.check(window, LATEST + 1_000, span);
            }
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

    @Test
    void record_noMemory_countsWhatWasRecorded(@TempDir Path temp) throws Exception {
        ChildJvm jvm = new ChildJvm(temp, BoundedEventWindow.class, Arguments.class, BoundedErrorsTest.class);

        assertThat(jvm.run(NoMemory.class, List.of("-Xmx16m"))).containsExactly("out of memory", "counts right");
    }

    /** Records until there is no memory, in a window so exact that it never merges buckets. */
    static final class NoMemory {
        private static byte @Nullable [] reserve = new byte[4_000_000];

        private NoMemory() {}

        public static void main(String[] unused) {
            BoundedEventWindow window = BoundedEventWindow.of(Duration.ofNanos(Long.MAX_VALUE), Double.MIN_VALUE);
            long recorded = 0;
            try {
                while (reserve != null) {
                    window.record(2 * recorded);
                    recorded++;
                }
            } catch (OutOfMemoryError e) {
                reserve = null;
                System.out.println("out of memory");
            }
            window.checkInvariants(0);
            boolean right = window.countAtLeast(0) == recorded && window.countAtMost(0) == recorded;
            System.out.println(right ? "counts right" : window + ", not " + recorded);
        }
    }
}
