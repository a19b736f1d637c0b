package io.github.hotpath.examples.benchmarks;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What becomes of a call of a limiter, and the clock by which it comes to that. Each reading takes as long as one of the
 * system's clock.
 *
 * @param limit permits in the interval
 */
record States(int limit, Duration interval, LongSupplier clock) {
    /** Nothing is near the limit. */
    static final String FAR = "granted far from the limit";

    /** Each call comes when one permit of a thousand, acquired one each millisecond, has just come back. */
    static final String AT = "granted at the limit";

    /** Hardly any call is granted. */
    static final String REFUSED = "refused";

    /** Ten permits are refused, of fifteen of which five are left. */
    static final String TEN = "ten refused of five left";

    static States of(String state) {
        return switch (state) {
            case FAR -> new States(10_000_000, Duration.ofMillis(100), System::nanoTime);
            case AT -> new States(1_000, Duration.ofMillis(999), new Steps());
            case REFUSED -> new States(10_000, Duration.ofMillis(100), System::nanoTime);
            case TEN -> new States(15, Duration.ofHours(1), System::nanoTime);
            default -> throw new IllegalArgumentException("state: " + state);
        };
    }

    /** The same where the clock cannot be set, and no permit is older than the newest: one comes back each nanosecond. */
    static States ofRealClock(String state) {
        return state.equals(AT) ? new States(1, Duration.ofNanos(1), System::nanoTime) : of(state);
    }

    /** A clock that goes on by a millisecond with each reading, for one thread. */
    private static final class Steps implements LongSupplier {
        private long now;
        private long read;

        @Override
        public long getAsLong() {
            read = System.nanoTime();
            return now += 1_000_000;
        }
    }
}
