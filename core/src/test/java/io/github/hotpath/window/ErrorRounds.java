package io.github.hotpath.window;

/** Calls in rounds, which are checked after each of them. */
public abstract class ErrorRounds extends ErrorSource {
    protected ErrorRounds(long seed) {
        super(seed);
    }

    /** Begins a round with a new account. */
    protected abstract void begin(int round);

    /** Throws if what was called is not as the account of this round allows. */
    protected abstract void check(int round);

    /** Throws what is wrong if not {@code holds}. */
    protected static void check(boolean holds, int round, String otherwise) {
        if (!holds) {
            throw new AssertionError("round " + round + ": " + otherwise + ", " + Seed.hint());
        }
    }
}
