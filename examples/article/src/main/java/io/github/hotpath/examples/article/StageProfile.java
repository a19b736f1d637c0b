package io.github.hotpath.examples.article;

import java.util.Locale;

/** What was found of a stage: its samples, and what it does in each turn, or a dash for what cannot be had. */
record StageProfile(CollapsedStacks stacks, String exceptionsPerTurn, String systemCallsPerTurn) {
    /** Returns what a part takes of the loop's samples, in per cent. */
    String share(Part part) {
        double share = (double) part.of(stacks).total() / Part.LOOP.of(stacks).total();
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** Returns how many samples were taken in the loop. */
    String samples() {
        return Long.toString(Part.LOOP.of(stacks).total());
    }
}
