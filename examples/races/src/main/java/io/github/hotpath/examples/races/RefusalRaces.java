package io.github.hotpath.examples.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The refusal without a lock of a {@link SlidingWindowLimiter}, while a grant publishes until when single permits are
 * refused, or takes that back. It reads whether there is such a time before the time itself, and a grant writes them in
 * the opposite order. Before the first grant the time is 0, so all times here are negative: who takes that for the time
 * refuses what must be granted.
 */
final class RefusalRaces {
    private static final Duration INTERVAL = Duration.ofNanos(100);

    private RefusalRaces() {}

    private static SlidingWindowLimiter limiter() {
        return SlidingWindowLimiter.of(Limit.of(1, INTERVAL));
    }

    /** A request that is late enough is granted, whatever it reads. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "The grant at -1000 is first, and has expired at -500.")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The grant at -500 is first, and counts at -1000.")
    @Outcome(expect = FORBIDDEN, desc = "Refused until a time that was never published with a state.")
    @State
    public static class LateEnough {
        private final SlidingWindowLimiter limiter = limiter();

        @Actor
        public void close(ZZ_Result result) {
            result.r1 = limiter.tryAcquire(-1000, 1);
        }

        @Actor
        public void ask(ZZ_Result result) {
            result.r2 = limiter.tryAcquire(-500, 1);
        }
    }

    /** A refusal's delay is that of the grant before it. */
    @JCStressTest
    @Outcome(id = "true, 51", expect = ACCEPTABLE, desc = "The grant at -1000 is first, and expires after -900.")
    @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "The grant at -950 is first.")
    @Outcome(expect = FORBIDDEN, desc = "Neither what was published before, nor what was published after.")
    @State
    public static class Delay {
        private final SlidingWindowLimiter limiter = limiter();

        @Actor
        public void close(ZJ_Result result) {
            result.r1 = limiter.tryAcquire(-1000, 1);
        }

        @Actor
        public void ask(ZJ_Result result) {
            result.r2 = limiter.tryAcquireOrDelay(-950, 1);
        }
    }

    /** The last permit is granted once. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "The first thread has the permit.")
    @Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "The second thread has the permit.")
    @Outcome(expect = FORBIDDEN, desc = "No permit was granted, or more than there are.")
    @State
    public static class LastPermit {
        private final SlidingWindowLimiter limiter = limiter();

        @Actor
        public void first(ZZZ_Result result) {
            result.r1 = limiter.tryAcquire(-1000, 1);
        }

        @Actor
        public void second(ZZZ_Result result) {
            result.r2 = limiter.tryAcquire(-1000, 1);
        }

        @Arbiter
        public void after(ZZZ_Result result) {
            result.r3 = limiter.tryAcquire(-1000, 1);
        }
    }

    /** A permit that comes back can be acquired again, once. */
    @JCStressTest
    @Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "The permit was back when it was asked for.")
    @Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "Refused before the permit was back.")
    @Outcome(expect = FORBIDDEN, desc = "The permit was lost, or granted twice.")
    @State
    public static class Cancellation {
        private final SlidingWindowLimiter limiter = limiter();
        private final Reservation reservation = limiter.reserve(-1000, 1, Duration.ZERO);

        @Actor
        public void cancel(ZZZ_Result result) {
            result.r1 = reservation.cancel();
        }

        @Actor
        public void ask(ZZZ_Result result) {
            result.r2 = limiter.tryAcquire(-1000, 1);
        }

        @Arbiter
        public void after(ZZZ_Result result) {
            result.r3 = limiter.tryAcquire(-1000, 1);
        }
    }

    /** After a clear and a grant at an earlier time, a request refused by the old time or granted by the new one. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "Refused before the limiter was cleared.")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Granted after the grant at -1000, which has expired.")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "Granted between the clear and the request at -1000.")
    @Outcome(expect = FORBIDDEN, desc = "Refused without a grant.")
    @State
    public static class Clear {
        private final SlidingWindowLimiter limiter = limiter();

        public Clear() {
            limiter.tryAcquire(-500, 1);
        }

        @Actor
        public void clear(ZZ_Result result) {
            limiter.clear();
            result.r1 = limiter.tryAcquire(-1000, 1);
        }

        @Actor
        public void ask(ZZ_Result result) {
            result.r2 = limiter.tryAcquire(-500, 1);
        }
    }
}
