package io.github.hotpath.examples.recipes;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/** The argument of a program's command line, or none: these programs take one at the most. */
record Argument(Optional<String> word) {
    /** Returns the only one of {@code args}, if there is any; throws a {@link WrongException} if there are more. */
    static Argument of(String... args) {
        if (args.length > 1) {
            throw new WrongException(args[1], "one argument too many");
        }
        return new Argument(Arrays.stream(args).findFirst());
    }

    /** Returns the number, if there is an argument; throws a {@link WrongException} if it is not in the range. */
    OptionalInt number(int least, int most) {
        return word.isEmpty() ? OptionalInt.empty() : OptionalInt.of(number(word.get(), least, most));
    }

    private static int number(String word, int least, int most) {
        try {
            int number = Integer.parseInt(word);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // rejected below, like a number out of range
        }
        throw new WrongException(word, "not a whole number from " + least + " to " + most);
    }

    /** Returns the path, if there is an argument; throws a {@link WrongException} if it is none. */
    Optional<Path> path() {
        return word.map(Argument::path);
    }

    /** Returns the directory, if there is an argument; throws a {@link WrongException} if it is none. */
    Optional<Path> directory() {
        Optional<Path> path = path();
        if (path.isPresent() && !Files.isDirectory(path.get())) {
            throw new WrongException(word.get(), "no directory");
        }
        return path;
    }

    private static Path path(String word) {
        try {
            return Path.of(word);
        } catch (InvalidPathException e) {
            throw new WrongException(word, "no path: " + e.getReason());
        }
    }

    /** A rejected argument: the message names it and the reason, in one line. */
    static final class WrongException extends RuntimeException {
        private static final long serialVersionUID = 1;

        WrongException(String word, String fault) {
            super(("'" + word + "': " + fault).replaceAll("\\p{Cntrl}", "?")); // a line break would make it two lines
        }
    }
}
