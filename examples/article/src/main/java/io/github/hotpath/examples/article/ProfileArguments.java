package io.github.hotpath.examples.article;

import io.github.hotpath.examples.WrongArgumentException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The arguments of {@link Profile}: how long, whether with Flight Recorder in any case, and where to write. */
record ProfileArguments(int seconds, boolean jfr, Path out) {
    static final String USAGE = "[--seconds N] [--jfr] [--out DIR]";
    private static final int DEFAULT_SECONDS = 5;
    private static final int MOST_SECONDS = 3600;

    /** Below a directory that git ignores and Maven cleans. */
    private static final Path DEFAULT_OUT = Path.of("target", "profile");

    /** Reads a command line; throws a {@link WrongArgumentException} if it is wrong. */
    static ProfileArguments parse(String... args) {
        CommandLine line = new CommandLine(Set.of("--seconds", "--out"), args);
        return new ProfileArguments(
                line.number("--seconds", MOST_SECONDS, DEFAULT_SECONDS),
                jfr(line.words()),
                line.path("--out").orElse(DEFAULT_OUT));
    }

    private static boolean jfr(List<String> words) {
        for (String word : words) {
            if (!word.equals("--jfr")) {
                throw WrongArgumentException.ofWord(word, "no such option");
            }
        }
        if (words.size() > 1) {
            throw new WrongArgumentException("--jfr", "given twice");
        }
        return !words.isEmpty();
    }
}
