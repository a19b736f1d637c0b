package io.github.hotpath.files;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** The check for an existing directory: one system call and no exception. */
final class DirectoryCheck {
    /*
     * On Linux Files.isDirectory costs up to 1.6 times as much as Files.exists, because it reads attributes that are
     * not used. Whether "dir/." exists is the same question at about the cost of exists, since the kernel looks up "."
     * in dir. So that is asked first on the JDK's own Unix file system, whose paths are known by their class. No is
     * inconclusive: the lookup also fails in a directory without search permission, and for a path within two bytes of
     * the longest. Then Files.isDirectory decides.
     */

    private static final FileSystem DEFAULT = FileSystems.getDefault();

    /** Whether the default file system is the JDK's own, not a replacement. */
    static final boolean IS_OF_JDK = DEFAULT.provider().getClass().getModule() == Object.class.getModule();

    private static final boolean IS_UNIX = IS_OF_JDK && DEFAULT.getSeparator().equals("/");

    private static final Path DOT = DEFAULT.getPath(".");

    private DirectoryCheck() {}

    /** Returns whether {@code dir} is known to be a directory, following symbolic links. */
    static boolean passes(Path dir) {
        return IS_UNIX && dir.getClass() == DOT.getClass() && Files.exists(dir.resolve(DOT)) || isDirectory(dir);
    }

    /**
     * Returns whether {@code path} is known to be a directory, following symbolic links. A check that fails for any
     * reason is no answer, and an attempt to create the directory follows.
     */
    static boolean isDirectory(Path path) {
        try {
            return Files.isDirectory(path);
        } catch (RuntimeException unknown) {
            return false;
        }
    }

    /** Returns whether nothing is known to exist at {@code path}, following symbolic links. */
    static boolean isMissing(Path path) {
        try {
            return Files.notExists(path);
        } catch (RuntimeException unknown) {
            return false;
        }
    }

    /** Returns whether {@code path} is known to exist and to be no directory, following symbolic links. */
    static boolean isOther(Path path) {
        try {
            return !Files.readAttributes(path, BasicFileAttributes.class).isDirectory();
        } catch (IOException | RuntimeException unknown) {
            return false;
        }
    }
}
