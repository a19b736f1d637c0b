package io.github.hotpath.examples.recipes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The same tree without this library, for comparison: it calls {@code createDirectories} before each file. */
final class CreateFirstTree extends ShardedTree {
    CreateFirstTree(Path root) {
        super(root);
    }

    @Override
    void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }
}
