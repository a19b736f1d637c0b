package io.github.hotpath.examples.benchmarks;

import java.time.Duration;

/**
 * What becomes of the calls of a limiter, and the times at which they come.
 *
 * @param limit permits in the interval
 */
record States(int limit, Duration interval, Arrivals arrivals) {
    /** Calls ask for half of what the limit grants, for all of it, or for twice as much, so that half are refused. */
    static final String HALF = "half the limit";

    static final String AT = "at the limit";
    static final String TWICE = "twice the limit";

    /** In a loop: nothing is near the limit. */
    static final String FAR = "granted far from the limit";

    /** In a loop: hardly any call is granted. */
    static final String REFUSED = "refused";

    /** In a loop: ten permits are refused, of fifteen of which five are left. */
    static final String TEN = "ten refused of five left";

    /** Those that have gaps grant a thousand permits in any second that does not include both of its ends. */
    static States of(String state, String gaps) {
        int meanGap = (int) (1_000_000 / load(state));
        return switch (state) {
            case FAR -> new States(10_000_000, Duration.ofMillis(100), new Arrivals(gaps, meanGap));
            case REFUSED -> new States(10_000, Duration.ofMillis(100), new Arrivals(gaps, meanGap));
            case TEN -> new States(15, Duration.ofHours(1), new Arrivals(gaps, meanGap));
            case HALF, AT, TWICE -> new States(1_000, Duration.ofSeconds(1).minusNanos(1), new Arrivals(gaps, meanGap));
            default -> throw new IllegalArgumentException("state: " + state);
        };
    }

    /** Returns how much is asked for, of what the limit grants. */
    static double load(String state) {
        return state.equals(HALF) ? 0.5 : state.equals(TWICE) ? 2 : 1;
    }

    /** Whether buckets have no tokens in the beginning, as they have none after a while. */
    static boolean isEmptyFirst(String state) {
        return state.equals(AT) || state.equals(TWICE);
    }
}
