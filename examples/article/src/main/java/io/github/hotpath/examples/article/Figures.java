package io.github.hotpath.examples.article;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The result of a run of a stage, in the article's units. */
record Figures(int averageCount, long millis) {
    private static final Pattern LINES =
            Pattern.compile("^Average count: (\\d+) op\nSpent time: (\\d+) ms$", Pattern.MULTILINE);

    /** Returns the mean of {@code counts} and the time, both rounded down. */
    static Figures of(int[] counts, long spentNanos) {
        return new Figures((int) Arrays.stream(counts).average().orElse(0), TimeUnit.NANOSECONDS.toMillis(spentNanos));
    }

    /** Returns the figures in {@code lines}, if they contain the {@link #lines} of a result. */
    static Optional<Figures> parse(List<String> lines) {
        Matcher matcher = LINES.matcher(String.join("\n", lines));
        return matcher.find()
                ? Optional.of(new Figures(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    List<String> lines() {
        return List.of("Average count: " + count(), "Spent time: " + time());
    }

    String count() {
        return averageCount + " op";
    }

    String time() {
        return millis + " ms";
    }

    /** Returns how many times as long {@code other} took, or a dash if this took no whole millisecond. */
    String timesFasterThan(Figures other) {
        return millis == 0 ? "-" : String.format(Locale.ROOT, "%.1f", (double) other.millis / millis);
    }
}
