package io.github.hotpath.examples.stream;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Flink leaves behind. */
final class TemporaryFiles {
    private TemporaryFiles() {}

    /** Deletes {@code dir} with all that is in it. */
    static void delete(Path dir) throws IOException {
        for (Dirs.Entry entry : Dirs.entries(dir)) {
            if (entry.attributes().isDirectory()) {
                delete(entry.path());
            } else {
                Files.delete(entry.path());
            }
        }
        Files.delete(dir);
    }
}
