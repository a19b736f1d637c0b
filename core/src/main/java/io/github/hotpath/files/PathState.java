package io.github.hotpath.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** What a check finds at a path, following symbolic links. */
enum PathState {
    DIRECTORY,

    /** A regular file, or anything else that is no directory. */
    OTHER,

    /** Nothing, or a dangling symbolic link. */
    MISSING,

    /** The check itself fails, so that nothing is known. */
    UNKNOWN;

    static PathState of(Path path) {
        return of(path, null);
    }

    /** Returns what exists at {@code path}. The failure of a check is suppressed in {@code failed}, if that is given. */
    static PathState of(Path path, @Nullable Exception failed) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).isDirectory() ? DIRECTORY : OTHER;
        } catch (NoSuchFileException missing) {
            return MISSING;
        } catch (IOException | RuntimeException unknown) {
            if (isMissing(path)) {
                return MISSING;
            }
            if (failed != null && failed != unknown) { // an exception cannot suppress itself
                failed.addSuppressed(unknown);
            }
            return UNKNOWN;
        }
    }

    /** Asks as Files.createDirectories does, in case that the provider tells it by another exception than this one. */
    private static boolean isMissing(Path path) {
        try {
            return Files.notExists(path);
        } catch (RuntimeException unknown) {
            return false;
        }
    }
}
