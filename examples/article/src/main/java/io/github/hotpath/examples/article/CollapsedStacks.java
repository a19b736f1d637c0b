package io.github.hotpath.examples.article;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The samples of a profile, counted by stack, in the form that profilers exchange: a line for each stack, which names
 * its frames from the outermost with a semicolon between them, and after a space says how many samples it has.
 */
final class CollapsedStacks {
    /** A lambda's class and method are named anew in each JVM: with them, no stack of one would be found in another. */
    private static final Pattern LAMBDA = Pattern.compile("[^;]*(\\$\\$Lambda|\\.lambda\\$)[^;]*(;|$)");

    /** No stack has less than one sample. */
    private final SortedMap<String, Long> samples;

    private CollapsedStacks(SortedMap<String, Long> samples) {
        this.samples = samples;
    }

    /** Returns the stacks of {@code lines}, without the frames of lambdas. */
    static CollapsedStacks parse(Stream<String> lines) {
        SortedMap<String, Long> samples = new TreeMap<>();
        lines.filter(line -> !line.isBlank()).forEach(line -> {
            int space = line.lastIndexOf(' ');
            String stack = LAMBDA.matcher(line.substring(0, space)).replaceAll("");
            samples.merge(stack, Long.parseLong(line.substring(space + 1)), Long::sum);
        });
        return new CollapsedStacks(samples);
    }

    /** Returns the stacks in which each of {@code frames} is found. */
    CollapsedStacks with(Pattern... frames) {
        SortedMap<String, Long> found = new TreeMap<>(samples);
        found.keySet()
                .removeIf(stack -> !Stream.of(frames)
                        .allMatch(frame -> frame.matcher(stack).find()));
        return new CollapsedStacks(found);
    }

    /** Returns the same shares of {@code total} samples, as nearly as whole samples can be. */
    CollapsedStacks scaledTo(long total) {
        double factor = (double) total / total();
        SortedMap<String, Long> scaled = new TreeMap<>();
        samples.forEach((stack, count) -> scaled.put(stack, Math.round(count * factor)));
        scaled.values().removeIf(count -> count == 0);
        return new CollapsedStacks(scaled);
    }

    /** Returns how many samples there are. */
    long total() {
        return samples.values().stream().mapToLong(Long::longValue).sum();
    }

    List<String> lines() {
        return samples.entrySet().stream().map(CollapsedStacks::line).toList();
    }

    private static String line(Map.Entry<String, Long> entry) {
        return entry.getKey() + " " + entry.getValue();
    }
}
