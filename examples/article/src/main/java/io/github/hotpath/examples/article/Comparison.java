package io.github.hotpath.examples.article;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** All the stages, one after the other, and their figures side by side with the article's. */
final class Comparison {
    private static final List<String> NO_FIGURES = List.of("-", "-", "-");

    private Comparison() {}

    /** Announces and runs every stage, and prints the table at the end. */
    static void run(StageLauncher launcher, PrintStream out) throws IOException, InterruptedException {
        Map<Stage, Figures> measured = new EnumMap<>(Stage.class);
        for (Stage stage : Stage.values()) {
            out.println(stage + ":");
            measured.put(stage, launcher.run(stage));
        }
        out.println();
        table(measured).lines().forEach(out::println);
    }

    /** Returns the table of stages that were {@code measured}, the original among them. */
    static Table table(Map<Stage, Figures> measured) {
        Table table = new Table(
                "stage",
                "average count",
                "time",
                "times faster",
                "article: count",
                "article: time",
                "article: times faster");
        measured.forEach((stage, figures) -> table.add(row(stage, figures, measured.get(Stage.ORIGINAL))));
        return table;
    }

    private static List<String> row(Stage stage, Figures figures, Figures original) {
        List<String> cells = new ArrayList<>(List.of(stage.toString()));
        cells.addAll(cells(figures, original));
        cells.addAll(stage.inArticle()
                .map(inArticle -> cells(inArticle, Stage.ORIGINAL.inArticle().orElseThrow()))
                .orElse(NO_FIGURES));
        return cells;
    }

    private static List<String> cells(Figures figures, Figures original) {
        return List.of(figures.count(), figures.time(), figures.timesFasterThan(original));
    }
}
