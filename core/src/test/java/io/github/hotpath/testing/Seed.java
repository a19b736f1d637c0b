package io.github.hotpath.testing;

import java.util.SplittableRandom;

/**
 * The one seed of all random tests: fixed, so that a build is the same twice, unless {@code -Dhotpath.seed=N} says
 * otherwise.
 */
public final class Seed {
    private static final long VALUE = Long.getLong("hotpath.seed", 20261120);

    private Seed() {}

    /** Returns the random numbers of a test case: the same ones for the same seed and the same name. */
    public static SplittableRandom random(String testCase) {
        return new SplittableRandom(VALUE + testCase.hashCode());
    }

    /** How to see a failure again. */
    public static String hint() {
        return hint(VALUE);
    }

    static String hint(long seed) {
        return "run again with -Dhotpath.seed=" + seed;
    }
}
