package io.github.hotpath.examples.article;

/** An argument of a program's command line that will not do: its message names it and says why, in one line. */
final class WrongArgumentException extends RuntimeException {
    private static final long serialVersionUID = 1;

    WrongArgumentException(String argument, String fault) {
        super((argument + ": " + fault).replaceAll("\\p{Cntrl}", "?")); // a line break would make it two lines
    }
}
