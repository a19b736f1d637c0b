package io.github.hotpath.examples.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.Stripes;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZJ_Result;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/**
 * The stripes of a {@link ConcurrentEventWindow}: threads record in different ones, and a read of all of them is that
 * of one instant.
 */
final class StripeRaces {
    private static final Duration INTERVAL = Duration.ofNanos(100);

    /** When each stripe got its first event, which still counts. */
    private static final long BEFORE = -50;

    /** A span without the first events. */
    private static final Duration SPAN = Duration.ofNanos(10);

    private StripeRaces() {}

    private static ConcurrentEventWindow striped() {
        ConcurrentEventWindow window = ConcurrentEventWindow.of(INTERVAL);
        Stripes.addAll(window, BEFORE);
        return window;
    }

    /** Returns a limit that admits one more event. */
    private static int limit(ConcurrentEventWindow window) {
        return (int) window.count(BEFORE) + 1;
    }

    /** A read has no event without those recorded before it, in whichever stripe they are. */
    @JCStressTest
    @Outcome(id = "\\[\\]", expect = ACCEPTABLE, desc = "Read before both events.")
    @Outcome(id = "\\[1\\]", expect = ACCEPTABLE, desc = "Read between them.")
    @Outcome(id = "\\[1, 2\\]", expect = ACCEPTABLE, desc = "Read after both events.")
    @Outcome(expect = FORBIDDEN, desc = "The second event without the first one.")
    @State
    public static class TwoStripes {
        private final ConcurrentEventWindow window = striped();

        @Actor
        public void record() {
            window.record(1);
            Stripes.move(window);
            window.record(2);
        }

        @Actor
        public void read(L_Result result) {
            result.r1 = Arrays.toString(
                    LongStream.of(window.toArray()).filter(nanos -> nanos > 0).toArray());
        }
    }

    /** The same of {@code count}, read twice: a count never goes down, and no event is counted twice. */
    @JCStressTest
    @Outcome(id = "0, [012]", expect = ACCEPTABLE, desc = "Neither, and then any number of them.")
    @Outcome(id = "1, [12]", expect = ACCEPTABLE, desc = "The first one, and then perhaps the other one.")
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "Both, twice.")
    @Outcome(expect = FORBIDDEN, desc = "An event that was counted is gone, or was counted twice.")
    @State
    public static class TwoCounts {
        private final ConcurrentEventWindow window = striped();

        @Actor
        public void record() {
            window.record(1);
            Stripes.move(window);
            window.record(2);
        }

        @Actor
        public void read(JJ_Result result) {
            result.r1 = window.count(2, SPAN);
            result.r2 = window.count(2, SPAN);
        }
    }

    /** The last event that a limit admits is recorded once. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "The first thread has recorded.")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "The second thread has recorded.")
    @Outcome(expect = FORBIDDEN, desc = "No event was admitted, or more than the limit.")
    @State
    public static class LastEvent {
        private final ConcurrentEventWindow window = striped();
        private final int limit = limit(window);

        @Actor
        public void first(ZZJ_Result result) {
            result.r1 = window.tryRecord(1, limit);
        }

        @Actor
        public void second(ZZJ_Result result) {
            Stripes.move(window);
            result.r2 = window.tryRecord(1, limit);
        }

        @Arbiter
        public void after(ZZJ_Result result) {
            result.r3 = window.count(1, SPAN);
        }
    }

    /** A record in a stripe counts for an attempt that begins after it. */
    @JCStressTest
    @Outcome(id = "true, 2", expect = ACCEPTABLE, desc = "Admitted before the other event.")
    @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "Refused because of the other event.")
    @Outcome(expect = FORBIDDEN, desc = "Refused without an event, or an event was lost.")
    @State
    public static class RecordBesideLimit {
        private final ConcurrentEventWindow window = striped();
        private final int limit = limit(window);

        @Actor
        public void attempt(ZJ_Result result) {
            result.r1 = window.tryRecord(1, limit);
        }

        @Actor
        public void record() {
            Stripes.move(window);
            window.record(1);
        }

        @Arbiter
        public void after(ZJ_Result result) {
            result.r2 = window.count(1, SPAN);
        }
    }

    /** A stripe is added while a thread records: no event is lost. */
    @JCStressTest
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "Both events, whatever the order.")
    @Outcome(expect = FORBIDDEN, desc = "An event was lost, or counted twice.")
    @State
    public static class NewStripe {
        private final ConcurrentEventWindow window = ConcurrentEventWindow.of(INTERVAL);

        @Actor
        public void record() {
            window.record(1);
        }

        @Actor
        public void separate() {
            Stripes.move(window);
            window.record(2);
        }

        @Arbiter
        public void after(JJ_Result result) {
            result.r1 = window.count(2);
            result.r2 = window.toArray().length;
        }
    }
}
