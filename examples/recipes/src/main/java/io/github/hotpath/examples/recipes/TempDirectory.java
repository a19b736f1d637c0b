package io.github.hotpath.examples.recipes;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.github.hotpath.files.Dirs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory with a new name that is deleted, with all that is in it, when this is closed. */
final class TempDirectory implements Closeable {
    private final Path path;

    /** Creates it in {@code parent}, which is made if it is missing. */
    TempDirectory(Path parent, String prefix) throws IOException {
        path = Files.createTempDirectory(Dirs.ensure(parent), prefix);
    }

    Path path() {
        return path;
    }

    /** Deletes it. Symbolic links are deleted, and not followed. One that is deleted already is no error. */
    @Override
    public void close() throws IOException {
        if (Files.exists(path)) {
            // Insecure means: others who may write in it could exchange a directory for a link. It is its owner's
            // alone.
            MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
        }
    }
}
