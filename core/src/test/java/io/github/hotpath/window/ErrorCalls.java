package io.github.hotpath.window;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Random calls, each of which may throw an error; and an account of what must count afterwards in each of some slots,
 * and of what may count. For one thread.
 */
public abstract class ErrorCalls {
    /*
     * An error may be thrown at any call, and where memory runs out at any allocation. So make() calls hardly anything
     * but what is tested, in as few frames as possible, and allocates nothing. What a call may change is entered before
     * it as possible, and after it as certain, by assignments alone: a call that throws leaves it as possible.
     */

    /** What counts in each slot at least. */
    protected final int[] least;

    /** What counts in each slot at most. */
    protected final int[] most;

    private long random;

    /** A result that a call must not return, or what it must not throw. */
    protected @Nullable Object wrong;

    protected ErrorCalls(long seed, int slots) {
        random = seed | 1;
        least = new int[slots];
        most = new int[slots];
    }

    /** Makes one random call, or several. */
    public abstract void make();

    /** Whether the account has room for more calls. */
    public abstract boolean hasRoom();

    /** Begins a new account, in which nothing counts. */
    protected final void begin() {
        Arrays.fill(least, 0);
        Arrays.fill(most, 0);
    }

    /** Adds to {@link #least} or {@link #most}, in each of {@code slots}. */
    protected static void add(int[] counts, int[] slots, int more) {
        for (int slot : slots) {
            counts[slot] += more;
        }
    }

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
    final void fail(Throwable unexpected) {
        wrong = unexpected;
    }

    /** Throws if a call of these has returned, or thrown, what it must not. */
    public static void checkAnswers(ErrorCalls... all) {
        for (ErrorCalls calls : all) {
            if (calls.wrong != null) {
                throw new AssertionError(calls.wrong);
            }
        }
    }

    /** Throws unless as much counts in {@code slot} as the accounts say together. */
    public static void checkCounts(long counts, int slot, ErrorCalls... all) {
        long least = 0;
        long most = 0;
        for (ErrorCalls calls : all) {
            least += calls.least[slot];
            most += calls.most[slot];
        }
        if (counts < least || counts > most) {
            throw new AssertionError(counts + " in slot " + slot + ", not " + least + " to " + most);
        }
    }

    public static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
