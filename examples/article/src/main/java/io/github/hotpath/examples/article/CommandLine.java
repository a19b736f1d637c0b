package io.github.hotpath.examples.article;

import java.nio.file.InvalidPathException;
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

    /** Returns {@code word} as a wrong argument shows it: an empty one, too, can be seen. */
    static String quoted(String word) {
        return "'" + word + "'";
    }

    /** Returns the path that an option names; a {@link WrongArgumentException} says that it names none. */
    Optional<Path> path(String name) {
        return Optional.ofNullable(options.get(name)).map(value -> toPath(name, value));
    }

    /** Returns an option's number; a {@link WrongArgumentException} says that it is not from 1 to {@code most}. */
    int number(String name, int most, int otherwise) {
        return Optional.ofNullable(options.get(name))
                .map(value -> toNumber(name, value, most))
                .orElse(otherwise);
    }

    private static Path toPath(String name, String value) {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new WrongArgumentException(name + " " + value, "no path: " + e.getReason());
        }
    }

    private static int toNumber(String name, String value, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, as a number out of range is
        }
        throw new WrongArgumentException(name + " " + value, "not a whole number from 1 to " + most);
    }
}
