package io.github.hotpath.examples.replay;

/** How permits are counted. */
enum Algorithm {
    /** This library's: never more than the limit in any time span of its interval. */
    SLIDING_WINDOW("sliding window"),

    /** Bucket4j's, with the limit as capacity, refilled evenly over the interval. */
    TOKEN_BUCKET("token bucket"),

    /** A counter for each interval of the clock, such as each minute, that begins at zero. */
    COUNTERS("counters");

    private final String text;

    Algorithm(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
