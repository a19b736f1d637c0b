package io.github.hotpath.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Cuts a list down for as long as it still fails: first by halves, then by less, at last one by one.
 *
 * <p>After Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002.
 */
public final class Shortest {
    private Shortest() {}

    /**
     * Returns a part of {@code list}, which {@code fails}, that fails too, and of which no single item could be spared.
     */
    public static <C> List<C> of(List<C> list, Predicate<List<C>> fails) {
        List<C> shortest = list;
        for (int length = list.size(); length >= 1; ) {
            List<C> shorter = withoutSome(shortest, length, fails);
            // After a cut of single items an earlier one may have become needless.
            boolean done = shorter.size() == shortest.size();
            shortest = shorter;
            if (done || length > 1) {
                length /= 2;
            }
        }
        return shortest;
    }

    /** Leaves out each run of {@code length} items without which the list still fails. */
    private static <C> List<C> withoutSome(List<C> list, int length, Predicate<List<C>> fails) {
        List<C> left = list;
        for (int from = 0; from < left.size(); ) {
            List<C> cut = new ArrayList<>(left.subList(0, from));
            cut.addAll(left.subList(Math.min(from + length, left.size()), left.size()));
            if (fails.test(cut)) {
                left = cut;
            } else {
                from += length;
            }
        }
        return left;
    }
}
