package io.github.hotpath.testing;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Runs random sequences of calls for a given time.
 *
 * <p>{@code -Dhotpath.fuzz.seconds=N} sets the time, and {@code -Dhotpath.seed=N} begins with the sequence of that seed.
 */
public final class Fuzz {
    private static final long SECONDS = Long.getLong("hotpath.fuzz.seconds", 60);
    private static final long FIRST_SEED = Long.getLong("hotpath.seed", System.nanoTime());

    private Fuzz() {}

    /** Runs sequences of seeds that go up by one; throws if one fails. */
    public static <C> void run(String name, Function<SplittableRandom, CallSequence<C>> sequences) {
        long seed = FIRST_SEED;
        long calls = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        System.out.println("fuzz " + name + ": from seed " + seed + ", " + SECONDS + " s");
        do {
            CallSequence<C> next = sequences.apply(new SplittableRandom(seed));
            next.run(Seed.hint(seed));
            calls += next.calls().size();
            seed++;
        } while (System.nanoTime() - end < 0);
        System.out.println(
                "fuzz " + name + ": " + (seed - FIRST_SEED) + " sequences of " + calls + " calls, none failed");
    }
}
