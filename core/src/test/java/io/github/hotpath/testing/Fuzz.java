package io.github.hotpath.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Runs random cases for a given time, and reduces the first that fails to the calls without which it would not.
 *
 * <p>{@code -Dhotpath.fuzz.seconds=N} sets the time, and {@code -Dhotpath.seed=N} begins with the case of that seed.
 */
public final class Fuzz {
    private static final long SECONDS = Long.getLong("hotpath.fuzz.seconds", 60);
    private static final long FIRST_SEED = Long.getLong("hotpath.seed", System.nanoTime());

    private Fuzz() {}

    /** Runs cases of seeds that go up by one; throws if one fails. */
    public static <C> void run(String name, Function<SplittableRandom, Case<C>> cases) {
        long seed = FIRST_SEED;
        long calls = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        System.out.println("fuzz " + name + ": from seed " + seed + ", " + SECONDS + " s");
        do {
            Case<C> next = cases.apply(new SplittableRandom(seed));
            Throwable failure = next.run(next.calls());
            if (failure != null) {
                throw new AssertionError(report(name, seed, next), failure);
            }
            calls += next.calls().size();
            seed++;
        } while (System.nanoTime() - end < 0);
        System.out.println("fuzz " + name + ": " + (seed - FIRST_SEED) + " cases of " + calls + " calls, none failed");
    }

    /** Returns {@code calls}, which fail, without those that can be left out one by one, from the last one on. */
    public static <C> List<C> needed(List<C> calls, Predicate<List<C>> fails) {
        List<C> needed = new ArrayList<>(calls);
        for (int i = needed.size() - 1; i >= 0; i--) {
            C call = needed.remove(i);
            if (!fails.test(needed)) {
                needed.add(i, call);
            }
        }
        return needed;
    }

    private static <C> String report(String name, long seed, Case<C> failed) {
        List<C> needed = needed(failed.calls(), calls -> failed.run(calls) != null);
        return """
                %s, run again with -Dhotpath.seed=%d; of %d calls these do it:
                %s
                %s
                then: %s
                """.formatted(
                        name,
                        seed,
                        failed.calls().size(),
                        failed.setting(),
                        needed.stream().map(Object::toString).collect(Collectors.joining("\n")),
                        failed.run(needed));
    }

    /**
     * Calls that are made one after the other.
     *
     * @param setting what precedes them, as code
     * @param calls each reads as the statement it is
     * @param check makes some of the calls, from the beginning, and throws if a result is wrong
     */
    public record Case<C>(String setting, List<C> calls, Check<C> check) {
        Throwable run(List<C> some) {
            try {
                check.run(some);
                return null;
            } catch (Exception | AssertionError e) {
                return e;
            }
        }
    }

    /** Makes calls, and throws if a result is wrong. */
    public interface Check<C> {
        /** Makes {@code calls} on something new. */
        void run(List<C> calls) throws Exception;
    }
}
