package io.github.hotpath.examples.article;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import one.convert.Arguments;
import one.convert.FlameGraph;

/**
 * The folder of a profile: for each stage its stacks, their flame graph, and a picture for a page; for each
 * step the difference.
 */
final class ProfileFolder {
    /** Narrower boxes cannot be read, and the JVM's compilers have towers of a hundred such frames. */
    private static final String MIN_WIDTH_PERCENT = "0.3";

    private final Path dir;
    private final Map<Stage, StageProfile> profiles;

    /** Names a directory that exists; files in it are overwritten, if they have a name that this folder needs. */
    ProfileFolder(Path dir, Map<Stage, StageProfile> profiles) {
        this.dir = dir;
        this.profiles = profiles;
    }

    /** Writes all the files and then the {@code index}, with a link to each of them; returns where it is. */
    Path write(IndexPage index) throws IOException {
        List<Stage> stages = List.copyOf(profiles.keySet());
        index.heading("Stages");
        index.paragraph(
                "The graphs leave out what is narrower than " + MIN_WIDTH_PERCENT + " %; the stacks have it all.");
        for (Stage stage : stages) {
            index.links(stage.toString(), writeStage(stage));
        }
        index.heading("Steps");
        index.paragraph(
                "A graph shows one of two stages: yellow is not in the other at all, red takes more of the time than"
                        + " there, blue less.");
        for (int i = 1; i < stages.size(); i++) {
            Stage before = stages.get(i - 1);
            Stage after = stages.get(i);
            index.links(before + " to " + after, writeStep(before, after));
        }
        return Files.write(dir.resolve("index.html"), index.lines());
    }

    private Map<String, String> writeStage(Stage stage) throws IOException {
        String collapsed = stage + ".collapsed";
        Files.write(dir.resolve(collapsed), stacks(stage).lines());

        Map<String, String> files = new LinkedHashMap<>();
        files.put(write(stage + ".html", flameGraph(stage.toString(), stacks(stage))), "flame graph");
        files.put(write(stage + ".svg", FlamePicture.of(stage, stacks(stage))), "picture of the loop");
        files.put(collapsed, "collapsed stacks");
        return files;
    }

    /**
     * Writes two graphs, because each has the frames of one side only: the first shows frames that disappeared, the
     * second new ones. The picture is of the first.
     */
    private Map<String, String> writeStep(Stage before, Stage after) throws IOException {
        String step = before + "-to-" + after;
        Map<String, String> files = new LinkedHashMap<>();
        files.put(writeDifference(step + "-gone.html", before, after), "what is gone");
        files.put(writeDifference(step + "-new.html", after, before), "what is new");
        files.put(
                write(step + ".svg", FlamePicture.disappeared(before, stacks(before), after, stacks(after))),
                "picture of what is gone");
        return files;
    }

    /** Writes the flame graph of {@code stage} in colours that show how its shares differ from the other's. */
    private String writeDifference(String name, Stage stage, Stage other) throws IOException {
        FlameGraph graph = flameGraph(stage + " compared with " + other, stacks(stage));
        graph.diff(flameGraph("", stacks(other).scaledTo(stacks(stage).total())));
        return write(name, graph);
    }

    private CollapsedStacks stacks(Stage stage) {
        return profiles.get(stage).stacks();
    }

    private static FlameGraph flameGraph(String title, CollapsedStacks stacks) throws IOException {
        FlameGraph graph = new FlameGraph(new Arguments("--title", title, "--minwidth", MIN_WIDTH_PERCENT));
        graph.parseCollapsed(new StringReader(String.join("\n", stacks.lines())));
        return graph;
    }

    private String write(String name, List<String> lines) throws IOException {
        Files.write(dir.resolve(name), lines);
        return name;
    }

    private String write(String name, FlameGraph graph) throws IOException {
        try (OutputStream out = Files.newOutputStream(dir.resolve(name))) {
            graph.dump(out);
        }
        return name;
    }
}
