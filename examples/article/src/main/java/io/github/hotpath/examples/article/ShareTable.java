package io.github.hotpath.examples.article;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The table of each part's share of the loop's samples, stage by stage, beside the article's. */
final class ShareTable {
    static final String LEGEND = "Samples are those taken in the stage's loop, and shares are of these.";

    private static final Set<Part> SHARES = EnumSet.complementOf(EnumSet.of(Part.LOOP));

    private ShareTable() {}

    /** Returns the table, with a dash for the parts that the profiler is {@code blindTo}. */
    static Table of(Map<Stage, StageProfile> profiles, Set<Part> blindTo) {
        Table table = new Table(header());
        profiles.forEach((stage, profile) -> table.add(row(stage, profile, blindTo)));
        return table;
    }

    private static String[] header() {
        List<String> cells = new ArrayList<>(List.of("stage", Part.LOOP.toString()));
        SHARES.forEach(part -> cells.add(part.toString()));
        cells.addAll(List.of("exceptions per turn", "system calls per turn", "article: createDirectories"));
        return cells.toArray(String[]::new);
    }

    private static List<String> row(Stage stage, StageProfile profile, Set<Part> blindTo) {
        List<String> cells = new ArrayList<>(List.of(stage.toString(), profile.samples()));
        SHARES.forEach(part -> cells.add(blindTo.contains(part) ? "-" : profile.share(part)));
        cells.addAll(List.of(
                profile.exceptionsPerTurn(),
                profile.systemCallsPerTurn(),
                stage.shareInArticle().orElse("-")));
        return cells;
    }
}
