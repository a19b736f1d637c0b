package io.github.hotpath.examples.replay;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The lines of a log, one after another. */
interface Lines extends Closeable {
    /** Returns the next line, without its end; null if there is none. */
    @Nullable
    String next() throws IOException;

    /** Returns how much has been read, of {@link #length}. */
    long position();

    /** Returns how much there is to read, or -1 if that is unknown. */
    long length();
}
