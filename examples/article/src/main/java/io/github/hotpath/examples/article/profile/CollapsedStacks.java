package io.github.hotpath.examples.article.profile;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import one.convert.Arguments;
import one.convert.FlameGraph;

/**
 * The samples of a profile, counted by stack, in the form that profilers exchange: a line for each stack, which names
 * its frames from the outermost with a semicolon between them, and after a space says how many samples it has.
 */
final class CollapsedStacks {
    /** A lambda's class and method are named anew in each JVM: with them, no stack of one would be found in another. */
    private static final Pattern LAMBDA = Pattern.compile("[^;]*(\\$\\$Lambda|\\.lambda\\$)[^;]*(;|$)");

    /** In per cent: narrower boxes cannot be read, and the JVM's compilers have towers of a hundred such frames. */
    private static final String MIN_WIDTH = "0.3";

    private final SortedMap<String, Long> samples = new TreeMap<>();

    /** Returns the stacks of {@code lines}, without the frames of lambdas. */
    static CollapsedStacks parse(List<String> lines) {
        CollapsedStacks stacks = new CollapsedStacks();
        lines.stream().filter(line -> !line.isBlank()).forEach(line -> {
            int space = line.lastIndexOf(' ');
            String stack = LAMBDA.matcher(line.substring(0, space)).replaceAll("");
            stacks.samples.merge(stack, Long.parseLong(line.substring(space + 1)), Long::sum);
        });
        return stacks;
    }

    /** Returns how many samples have each of {@code frames} in their stack. */
    long count(Pattern... frames) {
        return samples.entrySet().stream()
                .filter(entry -> List.of(frames).stream()
                        .allMatch(frame -> frame.matcher(entry.getKey()).find()))
                .mapToLong(SortedMap.Entry::getValue)
                .sum();
    }

    List<String> lines() {
        return samples.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList();
    }

    private long total() {
        return samples.values().stream().mapToLong(Long::longValue).sum();
    }

    FlameGraph flameGraph(String title) throws IOException {
        FlameGraph graph = new FlameGraph(new Arguments("--title", title, "--minwidth", MIN_WIDTH));
        graph.parseCollapsed(new StringReader(String.join("\n", lines())));
        return graph;
    }

    /** Returns the flame graph in colours that show how the shares differ from those of {@code other}. */
    FlameGraph difference(String title, CollapsedStacks other) throws IOException {
        CollapsedStacks scaled = new CollapsedStacks(); // to as many samples, as nearly as whole ones can be
        other.samples.forEach(
                (stack, count) -> scaled.samples.put(stack, Math.round(1.0 * count * total() / other.total())));
        scaled.samples.values().removeIf(count -> count == 0);
        FlameGraph graph = flameGraph(title);
        graph.diff(scaled.flameGraph(""));
        return graph;
    }
}
