package io.github.hotpath.examples;

/** A wrong argument of a program's command line: the message names it and the reason, in one line. */
public final class WrongArgumentException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates an exception about an option, with its value if it has one. */
    public WrongArgumentException(String argument, String fault) {
        super((argument + ": " + fault).replaceAll("\\p{Cntrl}", "?")); // a line break would make it two lines
    }

    /** Returns an exception about an argument that is not an option, in quotes, so that an empty one can be seen. */
    public static WrongArgumentException ofWord(String word, String fault) {
        return new WrongArgumentException("'" + word + "'", fault);
    }
}
