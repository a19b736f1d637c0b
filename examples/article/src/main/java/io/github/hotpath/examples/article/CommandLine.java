package io.github.hotpath.examples.article;

import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.WrongArgumentException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A command line taken apart: options, each with a value and given once at most, and the words between them. */
final class CommandLine {
    private final Map<String, String> options = new HashMap<>();
    private final List<String> words = new ArrayList<>();

    /**
     * Takes {@code args} apart.
     *
     * @param names of the options; an argument that is neither one of them nor its value is a word
     * @throws WrongArgumentException if an option has no value or is given twice
     */
    CommandLine(Set<String> names, String... args) {
        for (Iterator<String> rest = List.of(args).iterator(); rest.hasNext(); ) {
            String arg = rest.next();
            if (names.contains(arg)) {
                addOption(arg, rest);
            } else {
                words.add(arg);
            }
        }
    }

    private void addOption(String name, Iterator<String> rest) {
        String value = rest.hasNext() ? rest.next() : "";
        if (value.isEmpty() || value.startsWith("--")) { // rather a slip than a directory's name
            throw new WrongArgumentException(name, "no value");
        }
        if (options.put(name, value) != null) {
            throw new WrongArgumentException(name, "given twice");
        }
    }

    List<String> words() {
        return words;
    }

    /** Returns the path that an option names; a {@link WrongArgumentException} says that it names none. */
    Optional<Path> path(String name) {
        return option(name).path();
    }

    /** Returns an option's number; a {@link WrongArgumentException} says that it is not from 1 to {@code most}. */
    int number(String name, int most, int otherwise) {
        return option(name).number(1, most).orElse(otherwise);
    }

    private Argument option(String name) {
        return new Argument(name, Optional.ofNullable(options.get(name)));
    }
}
