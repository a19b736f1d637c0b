package io.github.hotpath.examples.replay;

/** A line that cannot be read: the message is the reason. Without a stack trace, since a log may have millions. */
final class UnreadableLineException extends Exception {
    private static final long serialVersionUID = 1;

    UnreadableLineException(String reason) {
        super(reason, null, false, false);
    }

    /** Returns an exception that quotes the beginning of a text. */
    static UnreadableLineException of(String text, String reason) {
        return new UnreadableLineException("'" + Report.shown(text, 40) + "': " + reason);
    }
}
