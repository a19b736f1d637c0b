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

/** The making of a directory that was not there, with its missing ancestors, while others make and delete the same. */
final class DirectoryCreation {
    /*
     * What was seen a moment ago need not be true now, so an attempt counts, and not what was seen before it. If it
     * fails, for whatever reason, it is a success all the same if a directory is there afterwards: somebody else has
     * made it, or the system puts another reason ("read-only", "denied") before "exists".
     *
     * If the failure was "exists" or "missing", and nothing stands in the way, then somebody deletes what this call
     * needs or has made. Then it begins again.
     *
     * Paths are taken apart by getParent and in no other way: what a name such as ".." leads to is for the file system
     * to say, on some by the directory it stands in, on others by the name alone.
     */

    /** How often to begin again: enough for a deleter in a tight loop, who spoils one attempt in a thousand. */
    private static final int RESTARTS = 10;

    private final Path dir;
    private final FileAttribute<?>[] attrs;

    DirectoryCreation(Path dir, FileAttribute<?>... attrs) {
        this.dir = dir;
        this.attrs = attrs;
    }

    /** Makes the directory, or throws the reason why it cannot be. */
    void run() throws IOException {
        for (int restarts = 0; ; restarts++) {
            try {
                makeWithAncestors();
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

    /** Tries the directory first, and climbs only if it has no parent: one exception, however many are missing. */
    private void makeWithAncestors() throws IOException {
        try {
            make(dir);
        } catch (NoSuchFileException noParent) {
            for (Path level : missingLevels()) {
                if (!isDots(level) || !Files.isDirectory(level)) {
                    make(level);
                }
            }
        }
    }

    /** The directory, its parent, of which the failure has told that it is missing, and what else is missing above. */
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

    private void make(Path level) throws IOException {
        try {
            Files.createDirectory(level, attrs);
        } catch (IOException | RuntimeException failed) {
            if (!Files.isDirectory(level)) {
                throw failed;
            }
        }
    }

    /** Whether the name is one that no directory is made by: it is there as soon as what is before it. */
    private static boolean isDots(Path level) {
        return level.endsWith(".") || level.endsWith("..");
    }

    /** Throws an exception that names what stands in the way, if something does. */
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

    /** Returns the topmost of the directory and its ancestors by name that is there and is no directory. */
    private @Nullable Path obstacle() {
        Deque<Path> levels = new ArrayDeque<>();
        for (Path level = dir; level != null; level = level.getParent()) {
            levels.push(level);
        }
        for (Path level : levels) {
            if (!Files.isDirectory(level)) {
                if (!Files.exists(level, LinkOption.NOFOLLOW_LINKS)) {
                    return null; // below nothing there is nothing
                }
                if (!Files.isDirectory(level)) { // it may have been made between the two looks
                    return level;
                }
            }
        }
        return null;
    }
}
