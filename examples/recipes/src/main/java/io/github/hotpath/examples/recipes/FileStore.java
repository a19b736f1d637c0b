package io.github.hotpath.examples.recipes;

import com.google.common.base.Preconditions;
import com.google.common.hash.Hashing;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A store of many files, each named by the hash of its content and spread over subdirectories: {@code ab/cd/abcdef...}.
 * A file is complete from the moment it can be seen, even after a power cut, and is never written again. Thread-safe,
 * and safe to share with other processes.
 */
final class FileStore {
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");

    private final Path root;

    FileStore(Path root) {
        this.root = root;
    }

    /** Stores {@code content} unless it is stored already, and returns its name, which is its SHA-256. */
    String put(byte[] content) throws IOException {
        String name = Hashing.sha256().hashBytes(content).toString();
        Path file = path(name);
        if (!Files.exists(file)) {
            Dirs.withParent(file, f -> write(f, content));
        }
        return name;
    }

    /** Returns the path of the file with that name, which may be missing. */
    Path path(String name) {
        // A name from outside, such as "../../..", must not lead out of the store.
        Preconditions.checkArgument(NAME.matcher(name).matches(), "name: %s (expected: a SHA-256)", name);
        return root.resolve(name.substring(0, 2)).resolve(name.substring(2, 4)).resolve(name);
    }

    private static Path write(Path file, byte[] content) throws IOException {
        // Beside the file, since a move is atomic only within a file system.
        Path incomplete = file.resolveSibling("." + UUID.randomUUID() + ".tmp");
        try {
            return CompleteFile.write(incomplete, file, content);
        } catch (AccessDeniedException e) {
            if (Files.exists(file)) {
                return file; // on Windows a file is not replaced while it is read: it has the same content
            }
            throw e;
        }
    }
}
