package io.github.hotpath.examples.article.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A sampling profiler that runs inside a JVM, from its start to its end. */
interface Profiler {
    /** Returns the options with which a JVM samples itself, and writes the samples to {@code dir}, which is empty. */
    List<String> options(Path dir) throws IOException;

    /**
     * Returns the stacks that a JVM with those {@link #options} has left in {@code dir}.
     *
     * @throws IOException if it has left none
     */
    CollapsedStacks stacks(Path dir) throws IOException;

    /** Returns whether no sample is taken inside the JVM, where exceptions are created and thrown. */
    boolean isBlindToExceptions();
}
