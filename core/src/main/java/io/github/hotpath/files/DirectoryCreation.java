package io.github.hotpath.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Creates a directory and its missing ancestors, which other processes may create and delete at the same time. */
final class DirectoryCreation {
    /*
     * The result of a check may be out of date when it is used, so only the attempt to create a directory decides. A
     * failure for any reason is ignored if the directory exists afterwards: another process has created it, or the file
     * system reports another error ("read-only", "denied") before "already exists".
     *
     * If the failure was "already exists" or "missing", and no obstacle is found, another process deletes a directory
     * that this call needs or has created. Then it starts again.
     *
     * Paths are split by getParent and in no other way. Only the file system knows where a name such as ".." leads: in
     * some it depends on the directory before it, in others on the name alone. So where it is the name alone, an
     * obstacle behind a ".." that follows a missing name is not found, and the provider's exception propagates.
     *
     * Three cases cannot be told apart from a concurrent deletion, and are left to the provider's exception: an
     * obstacle that is removed between the attempt and the search for it, a root that is missing, and a current
     * directory that has been deleted.
     */

    /** How often to start again: enough for a process that deletes in a tight loop and defeats one attempt in 1000. */
    private static final int RESTARTS = 10;

    private final Path dir;
    private final FileAttribute<?>[] attrs;

    DirectoryCreation(Path dir, FileAttribute<?>... attrs) {
        this.dir = dir;
        this.attrs = attrs;
    }

    /** Creates the directory, or throws the reason why that is impossible. */
    void run() throws IOException {
        for (int restarts = 0; ; restarts++) {
            try {
                createWithAncestors();
                return;
            } catch (NoSuchFileException | FileAlreadyExistsException failed) {
                throwIfBlocked(failed);
                if (restarts == RESTARTS) {
                    throw failed;
                }
            } catch (FileSystemException failed) {
                if (failed instanceof NotDirectoryException || failed.getClass() == FileSystemException.class) {
                    throwIfBlocked(failed);
                }
                throw failed;
            }
        }
    }

    /** Tries the directory first, and climbs only if its parent is missing: one exception for any depth. */
    private void createWithAncestors() throws IOException {
        try {
            create(dir);
        } catch (NoSuchFileException noParent) {
            for (Path level : missingLevels()) {
                if (!isDots(level) || !Files.isDirectory(level)) {
                    create(level);
                }
            }
        }
    }

    /** Returns the directory, its parent, which the failure has shown to be missing, and all missing levels above. */
    private Deque<Path> missingLevels() {
        Deque<Path> levels = new ArrayDeque<>();
        levels.push(dir);
        Path level = dir.getParent();
        while (level != null && (levels.size() == 1 || !Files.isDirectory(level))) {
            levels.push(level);
            level = level.getParent();
        }
        return levels;
    }

    private void create(Path level) throws IOException {
        try {
            Files.createDirectory(level, attrs);
        } catch (IOException | RuntimeException failed) {
            if (!Files.isDirectory(level)) {
                throw failed;
            }
        }
    }

    /** Whether no directory can be created by the name of {@code level}: it exists as soon as its parent does. */
    private static boolean isDots(Path level) {
        return level.endsWith(".") || level.endsWith("..");
    }

    /** Throws an exception that names the obstacle, if there is one. */
    private void throwIfBlocked(FileSystemException failed) throws FileSystemException {
        Path obstacle = obstacle();
        if (obstacle != null) {
            FileSystemException blocked = obstacle.equals(dir)
                    ? new FileAlreadyExistsException(obstacle.toString())
                    : new NotDirectoryException(obstacle.toString());
            blocked.initCause(failed);
            throw blocked;
        }
    }

    /** Returns the topmost of the directory and its ancestors by name that exists and is no directory. */
    private @Nullable Path obstacle() {
        Deque<Path> levels = new ArrayDeque<>();
        for (Path level = dir; level != null; level = level.getParent()) {
            levels.push(level);
        }
        for (Path level : levels) {
            if (!Files.isDirectory(level)) {
                if (!Files.exists(level, LinkOption.NOFOLLOW_LINKS)) {
                    return null; // nothing exists below a missing level
                }
                if (!Files.isDirectory(level)) { // it may have been created between the two checks
                    return level;
                }
            }
        }
        return null;
    }
}
