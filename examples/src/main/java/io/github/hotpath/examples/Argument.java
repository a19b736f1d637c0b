package io.github.hotpath.examples;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An argument of a program's command line, or none. Its methods throw a {@link WrongArgumentException} if it is wrong.
 *
 * @param option the option whose value the argument is, or "" if it is not an option
 * @param value the argument, if there is one
 */
public record Argument(String option, Optional<String> value) {
    /** Returns the only one of {@code args}, or none; throws a {@link WrongArgumentException} if there are more. */
    public static Argument of(String... args) {
        if (args.length > 1) {
            throw WrongArgumentException.ofWord(args[1], "one argument too many");
        }
        return new Argument("", Arrays.stream(args).findFirst());
    }

    /** Returns the number, if there is an argument, which must be in the range. */
    public OptionalInt number(int least, int most) {
        return value.isEmpty() ? OptionalInt.empty() : OptionalInt.of(number(value.get(), least, most));
    }

    private int number(String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // rejected below, like a number out of range
        }
        throw wrong(text, "not a whole number from " + least + " to " + most);
    }

    /** Returns the path, if there is an argument. */
    public Optional<Path> path() {
        return value.map(this::path);
    }

    private Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw wrong(text, "no path: " + e.getReason());
        }
    }

    /** Returns the directory, if there is an argument, which must name an existing one. */
    public Optional<Path> directory() {
        Optional<Path> path = path();
        if (path.isPresent() && !Files.isDirectory(path.get())) {
            throw wrong(value.get(), "no directory");
        }
        return path;
    }

    private WrongArgumentException wrong(String text, String fault) {
        return option.isEmpty()
                ? WrongArgumentException.ofWord(text, fault)
                : new WrongArgumentException(option + " " + text, fault);
    }
}
