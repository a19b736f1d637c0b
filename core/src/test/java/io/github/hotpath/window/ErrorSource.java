package io.github.hotpath.window;

import org.jspecify.annotations.Nullable;

/** Random calls, each of which may throw an error; with an account of what must be so afterwards. For one thread. */
public abstract class ErrorSource {
    private long random;

    /** A result that a call must not return, or what it must not throw. */
    protected @Nullable Object wrong;

    protected ErrorSource(long seed) {
        random = seed | 1;
    }

    /**
     * Makes one random call, or several. Calls hardly anything else, and allocates nothing: that might throw as well.
     */
    public abstract void make();

    /** Whether the account has room for more calls. */
    public abstract boolean hasRoom();

    /** Returns random bits, and changes nothing if it throws. */
    protected final long randomBits() {
        long bits = random;
        bits ^= bits << 13;
        bits ^= bits >>> 7;
        bits ^= bits << 17;
        random = bits;
        return bits;
    }

    /** Takes note of what a call has thrown that is not the error to be expected. */
    public final void fail(Throwable unexpected) {
        wrong = unexpected;
    }

    /** Throws if a call has returned, or thrown, what it must not. */
    public final void checkAnswers() {
        if (wrong != null) {
            throw new AssertionError(wrong);
        }
    }
}
