package io.github.hotpath.examples.replay;

/** Reads the lines of a log. */
interface LineFormat {
    /** Reads a line. */
    Request read(String line) throws UnreadableLineException;
}
