package io.github.hotpath.examples.recipes;

import com.google.common.hash.Hashing;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * A tree of many files, named after their content's hash and spread over shards: {@code ab/cd/abcdef...}. Thread-safe.
 * Other processes may create the same shards, and delete empty ones, except on Windows, where access to a directory
 * that is being deleted is denied.
 *
 * <p>A file is written in its place. So a reader can see an incomplete one, and a crash can leave one: where that
 * matters, write a temporary file and move it, as {@link WindowFile} does.
 */
class ShardedTree {
    /** The attempts to write a file: an empty shard may be deleted repeatedly, but hardly each time. */
    private static final int ATTEMPTS = 10;

    private final Path root;

    ShardedTree(Path root) {
        this.root = root;
    }

    /** Writes {@code content} and returns the name by which to find it. The file exists when this returns. */
    String put(byte[] content) throws IOException {
        String name = name(content);
        for (int attempt = 1; ; attempt++) {
            try {
                write(file(name), content);
                return name;
            } catch (NoSuchFileException | FileAlreadyExistsException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                // A cleaner deleted the shard after it was created and before the file was.
            }
        }
    }

    void write(Path file, byte[] content) throws IOException {
        Dirs.withParent(file, f -> Files.write(f, content));
    }

    /** Returns the SHA-256 of {@code content}. */
    static String name(byte[] content) {
        return Hashing.sha256().hashBytes(content).toString();
    }

    /** Returns where the file of that name is, or would be. */
    Path file(String name) {
        return root.resolve(name.substring(0, 2)).resolve(name.substring(2, 4)).resolve(name);
    }

    /** Deletes the shards that are empty at that moment, and returns how many directories they were. For one thread. */
    int deleteEmptyShards() throws IOException {
        int deleted = 0;
        for (Path ab : directoriesIn(root)) {
            for (Path cd : directoriesIn(ab)) {
                deleted += deleteIfEmpty(cd);
            }
            deleted += deleteIfEmpty(ab);
        }
        return deleted;
    }

    private static List<Path> directoriesIn(Path dir) throws IOException {
        return Dirs.entries(dir).stream()
                .filter(entry -> entry.attributes().isDirectory())
                .map(Dirs.Entry::path)
                .toList();
    }

    private static int deleteIfEmpty(Path shard) throws IOException {
        try {
            Files.delete(shard); // refuses a directory in use; a check before it would be out of date
            return 1;
        } catch (DirectoryNotEmptyException e) {
            return 0;
        }
    }
}
