package io.github.hotpath.examples.article;

import io.github.hotpath.examples.WrongArgumentException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The arguments of {@link CountEvents}: a stage or else all, a directory or else one of its own, how many turns. */
record CountEventsArguments(Optional<Stage> stage, Optional<Path> dir, int turns) {
    static final String USAGE = "[original|trimmed|checked|hotpath] [--dir DIR] [--turns N]";
    static final int DEFAULT_TURNS = 100_000;

    /** A hundred times the article's, for which the counts still fit into any heap. */
    static final int MOST_TURNS = 10_000_000;

    /** Reads a command line; throws a {@link WrongArgumentException} if it is wrong. */
    static CountEventsArguments parse(String... args) {
        CommandLine line = new CommandLine(Set.of("--dir", "--turns"), args);
        return new CountEventsArguments(
                stage(line.words()), line.path("--dir"), line.number("--turns", MOST_TURNS, DEFAULT_TURNS));
    }

    private static Optional<Stage> stage(List<String> words) {
        List<Stage> stages = words.stream().map(CountEventsArguments::stage).toList();
        if (stages.size() > 1) {
            throw WrongArgumentException.ofWord(words.get(1), "a second stage");
        }
        return stages.stream().findFirst();
    }

    private static Stage stage(String name) {
        return Stage.named(name).orElseThrow(() -> WrongArgumentException.ofWord(name, "no such stage or option"));
    }
}
