package io.github.hotpath.files;

import static io.github.hotpath.files.DirectoryCheck.isDirectory;
import static io.github.hotpath.files.DirectoryCheck.isMissing;
import static io.github.hotpath.files.DirectoryCheck.isOther;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Creates a directory and its missing ancestors, which other processes may create and delete at the same time. */
final class DirectoryCreation {
    /*
     * A check may be out of date when it is used, so only the attempt to create a directory decides. A failure for any
     * reason is ignored if the directory exists afterwards: another process has created it, or the file system reports
     * another error ("read-only", "denied") before "already exists".
     *
     * The class of a failure is a hint at most: file systems report a missing parent by exceptions of any class. So
     * after any of them the existence of the parent is checked, as Files.createDirectories does; but after "missing" it
     * is created without a check. Nothing is asked of a root, which cannot be created, and of which some file systems
     * cannot tell anything.
     *
     * After "already exists" or "missing" without an obstacle, another process deletes a directory that this call needs
     * or has created, or the name exists before the directory is visible. Then it starts again. A check that fails by
     * itself is not taken for a missing directory: it ends the call, and is suppressed in the exception thrown.
     *
     * Paths are split by getParent alone, since only the file system knows where ".." leads. So where it leads by name,
     * an obstacle behind a ".." that follows a missing name is not found. Nor is one that is removed before the search
     * for it, nor a current directory that has been deleted: then the provider's exception propagates.
     */

    /** How often to start again: enough for a process that deletes in a tight loop and defeats one attempt in 1000. */
    private static final int RESTARTS = 10;

    /** How often to do so at once. After the others the pauses double from a millisecond: 63 in all. */
    private static final int RESTARTS_AT_ONCE = 4;

    private final Path dir;
    private final Pause pause;
    private final FileAttribute<?>[] attrs;

    /** Whether a check of an existing name has failed, so that nothing is known about it. */
    private boolean inconclusive;

    /** Waits, in a test without time passing. */
    interface Pause {
        void sleep(long millis) throws InterruptedException;
    }

    DirectoryCreation(Path dir, Pause pause, FileAttribute<?>... attrs) {
        this.dir = dir;
        this.pause = pause;
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
                if (inconclusive || restarts == RESTARTS || !mayRestart(restarts)) {
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

    /** Waits before a restart; returns false if interrupted. */
    private boolean mayRestart(int restarts) {
        if (restarts < RESTARTS_AT_ONCE) {
            return true;
        }
        try {
            pause.sleep(1L << restarts - RESTARTS_AT_ONCE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Tries the directory first, and climbs if that fails: on the JDK's file systems one exception for any depth. */
    private void createWithAncestors() throws IOException {
        try {
            Files.createDirectory(dir, attrs);
        } catch (IOException | RuntimeException failed) {
            boolean parentIsMissing =
                    failed instanceof NoSuchFileException; // or so it seems: what create finds decides
            if (!parentIsMissing && isDirectoryAfter(failed, dir)) {
                return;
            }
            if (inconclusive || !parentIsMissing && !isWorthASecondAttempt(failed)) {
                throw failed;
            }
            Deque<Path> levels = new ArrayDeque<>();
            Path level = dir;
            do {
                levels.push(level);
                level = level.getParent();
            } while (level != null
                    && !isRoot(level)
                    && (parentIsMissing && levels.size() == 1 || isNoDirectory(level)));
            if (!parentIsMissing && isOther(levels.element())) {
                throw failed;
            }
            for (Path missing : levels) {
                if (!isDots(missing) || !isDirectory(missing)) {
                    create(missing);
                }
            }
        }
    }

    private void create(Path level) throws IOException {
        try {
            Files.createDirectory(level, attrs);
        } catch (IOException | RuntimeException failed) {
            if (!isDirectoryAfter(failed, level)) {
                throw failed;
            }
        }
    }

    /**
     * Whether {@code level} is a directory. If the name exists, a check that fails is inconclusive, and suppressed in
     * {@code failed}.
     */
    private boolean isDirectoryAfter(Exception failed, Path level) {
        if (isDirectory(level)) {
            return true;
        }
        if (!(failed instanceof FileAlreadyExistsException)) {
            return false;
        }
        try {
            return Files.readAttributes(level, BasicFileAttributes.class).isDirectory();
        } catch (NoSuchFileException missing) {
            return false;
        } catch (IOException | RuntimeException unknown) {
            inconclusive = true;
            suppress(unknown, failed);
            return false;
        }
    }

    /**
     * Whether to create the missing ancestors and then the directory again, after a failure of another class: if the
     * parent is missing, or if Files.createDirectories would try again.
     */
    private boolean isWorthASecondAttempt(Exception failed) {
        boolean transientPerhaps = failed instanceof IOException && !(failed instanceof FileAlreadyExistsException);
        Path parent = dir.getParent();
        if (parent == null || isRoot(parent)) {
            return transientPerhaps;
        }
        try {
            parent.getFileSystem().provider().checkAccess(parent);
            return transientPerhaps;
        } catch (NoSuchFileException missing) {
            return true;
        } catch (IOException | RuntimeException unknown) {
            suppress(unknown, failed);
            return false;
        }
    }

    /** Whether {@code level} is missing or something else. One that exists and cannot be looked at is a directory. */
    private static boolean isNoDirectory(Path level) {
        return !isDirectory(level) && (!Files.exists(level) || isOther(level));
    }

    private static boolean isRoot(Path path) {
        return path.getNameCount() == 0;
    }

    /** Whether no directory can be created by the name of {@code level}: it exists as soon as its parent does. */
    private static boolean isDots(Path level) {
        return level.endsWith(".") || level.endsWith("..");
    }

    /** Throws an exception that names the obstacle or the missing root, if there is one. */
    private void throwIfBlocked(FileSystemException failed) throws FileSystemException {
        Path obstacle;
        try {
            obstacle = obstacle();
        } catch (IOException | RuntimeException unknown) {
            inconclusive = true;
            suppress(unknown, failed);
            return;
        }
        if (obstacle == null || inconclusive && obstacle.equals(dir)) {
            return;
        }
        FileSystemException blocked;
        if (isRoot(obstacle)) {
            blocked = new NoSuchFileException(obstacle.toString(), null, "the root directory does not exist");
        } else if (obstacle.equals(dir)) {
            blocked = new FileAlreadyExistsException(obstacle.toString());
        } else {
            blocked = new NotDirectoryException(obstacle.toString());
        }
        blocked.initCause(failed);
        throw blocked;
    }

    /** Returns the root if it is missing, or the topmost existing level that is no directory, or null. */
    private @Nullable Path obstacle() throws IOException {
        Path root = dir.getRoot();
        if (root != null && isMissing(root)) {
            return root;
        }
        Deque<Path> levels = new ArrayDeque<>();
        for (Path level = dir; level != null && !isRoot(level); level = level.getParent()) {
            levels.push(level);
        }
        for (Path level : levels) {
            if (!isDirectory(level)) {
                boolean created; // since the check
                try {
                    created = Files.readAttributes(level, BasicFileAttributes.class, NOFOLLOW_LINKS)
                            .isDirectory();
                } catch (NoSuchFileException missing) {
                    return null; // nothing exists below it
                }
                if (!created && !isDirectory(level)) {
                    return level;
                }
            }
        }
        return null;
    }

    private static void suppress(Exception suppressed, Exception thrown) {
        if (suppressed != thrown) { // an exception cannot suppress itself
            thrown.addSuppressed(suppressed);
        }
    }
}
