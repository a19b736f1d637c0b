package io.github.hotpath.examples.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The eviction of idle keys of a {@link KeyedLimiter}, while a call uses the key: it never resets a limit. */
final class EvictionRaces {
    private static final Limit LIMIT = Limit.of(1, Duration.ofNanos(100));
    private static final String KEY = "key";

    /** When a permit acquired at 0 has expired. */
    private static final long EXPIRED = 101;

    private EvictionRaces() {}

    /** Returns a limiter with an entry that is idle from {@link #EXPIRED} on. */
    private static KeyedLimiter<String> limiter() {
        KeyedLimiter<String> limiter = KeyedLimiter.of(LIMIT);
        limiter.forKey(KEY).tryAcquire(0, 1);
        return limiter;
    }

    /** A permit acquired while the key is evicted counts. */
    @JCStressTest
    @Outcome(
            id = "true, false, 1",
            expect = ACCEPTABLE,
            desc = "Granted, by the old entry or by a new one, and counts.")
    @Outcome(expect = FORBIDDEN, desc = "Refused although idle, or the permit counts in an entry that was evicted.")
    @State
    public static class Acquire {
        private final KeyedLimiter<String> limiter = limiter();

        @Actor
        public void evict() {
            limiter.evictIdle(EXPIRED);
        }

        @Actor
        public void acquire(ZZI_Result result) {
            result.r1 = limiter.forKey(KEY).tryAcquire(EXPIRED, 1);
        }

        @Arbiter
        public void after(ZZI_Result result) {
            result.r2 = limiter.forKey(KEY).tryAcquire(EXPIRED, 1);
            result.r3 = limiter.size();
        }
    }

    /** Of two threads, one of which evicts the key before, one is granted the permit. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "The thread that evicts has the permit.")
    @Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "The other thread has the permit.")
    @Outcome(expect = FORBIDDEN, desc = "No permit was granted, or more than there are.")
    @State
    public static class LastPermit {
        private final KeyedLimiter<String> limiter = limiter();

        @Actor
        public void evictAndAcquire(ZZZ_Result result) {
            limiter.evictIdle(EXPIRED);
            result.r1 = limiter.forKey(KEY).tryAcquire(EXPIRED, 1);
        }

        @Actor
        public void acquire(ZZZ_Result result) {
            result.r2 = limiter.forKey(KEY).tryAcquire(EXPIRED, 1);
        }

        @Arbiter
        public void after(ZZZ_Result result) {
            result.r3 = limiter.forKey(KEY).tryAcquire(EXPIRED, 1);
        }
    }

    /** A key that two threads add at once has one entry. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "The first thread has added the key.")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "The second thread has added the key.")
    @Outcome(expect = FORBIDDEN, desc = "No permit was granted, or each thread has an entry of its own.")
    @State
    public static class NewKey {
        private final KeyedLimiter<String> limiter = KeyedLimiter.of(LIMIT);

        @Actor
        public void first(ZZI_Result result) {
            result.r1 = limiter.forKey(KEY).tryAcquire(0, 1);
        }

        @Actor
        public void second(ZZI_Result result) {
            result.r2 = limiter.forKey(KEY).tryAcquire(0, 1);
        }

        @Arbiter
        public void after(ZZI_Result result) {
            result.r3 = limiter.size();
        }
    }

    /** A reservation that is cancelled while its key is evicted releases the permit, and none that others have. */
    @JCStressTest
    @Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "Cancelled, and the permit acquired by the other.")
    @Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "Refused before it was cancelled.")
    @Outcome(expect = FORBIDDEN, desc = "The permit was lost, or granted twice.")
    @State
    public static class Cancellation {
        private final KeyedLimiter<String> limiter = KeyedLimiter.of(LIMIT);
        private final Reservation reservation = limiter.forKey(KEY).reserve(0, 1, Duration.ZERO);

        @Actor
        public void cancelAndEvict(ZZZ_Result result) {
            result.r1 = reservation.cancel();
            limiter.evictIdle(1);
        }

        @Actor
        public void acquire(ZZZ_Result result) {
            result.r2 = limiter.forKey(KEY).tryAcquire(1, 1);
        }

        @Arbiter
        public void after(ZZZ_Result result) {
            result.r3 = limiter.forKey(KEY).tryAcquire(1, 1);
        }
    }
}
