package io.github.hotpath.examples.article;

import java.util.Locale;

/** The profile of a stage: its samples, and its calls in each turn, or a dash for those not available. */
record StageProfile(CollapsedStacks stacks, String exceptionsPerTurn, String systemCallsPerTurn) {
    /** Returns a part's share of the loop's samples, in per cent. */
    String share(Part part) {
        double share = (double) part.of(stacks).total() / Part.LOOP.of(stacks).total();
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** Returns how many samples were taken in the loop. */
    String samples() {
        return Long.toString(Part.LOOP.of(stacks).total());
    }
}
