package io.github.hotpath.examples.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.Stripes;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * The stripes of a {@link ConcurrentEventWindow}: threads record in different ones, and a read that adds them up misses
 * no event recorded before it, and counts none twice.
 */
final class StripeRaces {
    private static final Duration INTERVAL = Duration.ofNanos(100);

    private StripeRaces() {}

    private static ConcurrentEventWindow striped() {
        ConcurrentEventWindow window = ConcurrentEventWindow.of(INTERVAL);
        Stripes.addAll(window);
        return window;
    }

    /** Each of two threads counts its own event, and the one that counts last both. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1", "2, 2"},
            expect = ACCEPTABLE,
            desc = "One of them, or each, has counted both.")
    @Outcome(expect = FORBIDDEN, desc = "Neither has counted both, or one has not counted its own.")
    @State
    public static class RecordAndCount {
        private final ConcurrentEventWindow window = striped();

        @Actor
        public void first(JJ_Result result) {
            result.r1 = window.recordAndCount(1);
        }

        @Actor
        public void second(JJ_Result result) {
            Stripes.move(window);
            result.r2 = window.recordAndCount(1);
        }
    }

    /** The same while the first stripes are added. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1", "2, 2"},
            expect = ACCEPTABLE,
            desc = "One of them, or each, has counted both.")
    @Outcome(expect = FORBIDDEN, desc = "Neither has counted both, or one has not counted its own.")
    @State
    public static class RecordAndCountInNewStripe {
        private final ConcurrentEventWindow window = ConcurrentEventWindow.of(INTERVAL);

        @Actor
        public void first(JJ_Result result) {
            result.r1 = window.recordAndCount(1);
        }

        @Actor
        public void second(JJ_Result result) {
            Stripes.move(window);
            result.r2 = window.recordAndCount(1);
        }
    }

    /** A read beside records in two stripes, one after the other, in which the time advances. */
    @JCStressTest
    @Outcome(
            id = {"0", "1", "2"},
            expect = ACCEPTABLE,
            desc = "Some of the events.")
    @Outcome(expect = FORBIDDEN, desc = "An event was counted twice.")
    @State
    public static class CountBesideRecords {
        private final ConcurrentEventWindow window = striped();

        @Actor
        public void record() {
            window.record(1);
            Stripes.move(window);
            window.record(2);
        }

        @Actor
        public void read(J_Result result) {
            result.r1 = window.count(1);
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
            result.r2 = window.snapshot().toArray().length;
        }
    }
}
