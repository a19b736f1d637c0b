package io.github.hotpath.files;

import static java.util.Objects.requireNonNull;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that directories exist, and lists them with the attributes of their entries, on any file system.
 *
 * <pre>{@code
 * Dirs.ensure(shard);                                          // one system call if it exists
 * Files.writeString(Dirs.ensureParent(file), content);         // the same for the parent directory of a file
 * Dirs.withParent(file, f -> Files.writeString(f, content));   // no further call if the parent exists
 * }</pre>
 *
 * <p>{@link java.nio.file.Files#createDirectories createDirectories} attempts to create a directory even if it exists,
 * which costs two exceptions each time. {@code ensure} checks first, and succeeds wherever {@code createDirectories}
 * does and the directory is there then, but for one case in zip files (below). It also ignores every failure if the directory exists afterwards,
 * creates the directory again if another process deletes it at the same moment, and names the file or link that is in
 * the way if it fails.
 *
 * <p>Paths are used unchanged: they are not made absolute, normalized or resolved. All methods are thread-safe, and
 * other threads and processes may create and delete the same directories at the same time. The state of the file system
 * is not cached. All methods throw {@link NullPointerException} if an argument is null, whether or not the directory
 * exists. Unchecked exceptions of the file system provider, such as {@link java.nio.file.ReadOnlyFileSystemException},
 * propagate unchanged.
 *
 * <p><b>Known limits.</b> A zip file system allows one directory below a regular file, and {@code ensure} creates it
 * there, but throws {@link NotDirectoryException} if more levels are missing. Where the file system resolves
 * {@code ".."} by name (Windows, zip), {@code ensure} of {@code x/a/../b} with {@code x} missing creates {@code x/a} as
 * well. On Windows a directory that is being deleted causes an {@link java.nio.file.AccessDeniedException}.
 */
public final class Dirs {
    private Dirs() {}

    /**
     * Ensures that {@code dir} is a directory, creates it and its missing ancestors if necessary, and returns
     * {@code dir} itself.
     *
     * <p>When this method returns, {@code dir} was found to be a directory, following symbolic links, or was created by
     * this call. An existing directory costs one check and no exception. If this method throws, directories that it has
     * created remain.
     *
     * <p>If other threads or processes delete the directory at the same time, or if its name exists before the
     * directory is visible, as on some network file systems, this method tries again up to ten times, with pauses of 63
     * milliseconds in all; then it throws the last exception. An interrupt ends the pauses, and the thread stays
     * interrupted. If a check fails by itself, it is suppressed in the exception thrown.
     *
     * <p>In a directory that others can write to, such as {@code /tmp}, use {@code Files.createTempDirectory} instead:
     * a name that can be guessed may have been created by somebody else, with any permissions.
     *
     * @param dir a path of any file system
     * @param attrs the attributes of each directory that this call creates, as far as the umask of the process permits;
     *     ignored if it creates none
     * @return {@code dir}, the same reference
     * @throws FileAlreadyExistsException naming {@code dir}, if {@code dir} is a regular file, a symbolic link to one,
     *     a dangling symbolic link, or a symbolic link to a directory that this process has no permission to reach
     * @throws NotDirectoryException naming the topmost existing ancestor that is not a directory, if there is one
     * @throws NoSuchFileException naming the root, if it is a drive or server that does not exist
     * @throws IOException if the file system throws another exception, which propagates unchanged
     */
    public static Path ensure(Path dir, FileAttribute<?>... attrs) throws IOException {
        requireNonNull(dir, "dir");
        requireNonNull(attrs, "attrs");
        if (!DirectoryCheck.passes(dir)) {
            new DirectoryCreation(dir, Thread::sleep, attrs).run();
        }
        return dir;
    }

    /**
     * Ensures that the parent of {@code file} is a directory, as {@link #ensure} does, and returns {@code file} itself.
     * The parent is {@link Path#getParent}; if that is null, this method does nothing.
     *
     * @param file a path of any file system
     * @param attrs as for {@link #ensure}
     * @return {@code file}, the same reference
     * @throws IOException if {@link #ensure} of the parent throws it
     */
    public static Path ensureParent(Path file, FileAttribute<?>... attrs) throws IOException {
        requireNonNull(file, "file");
        requireNonNull(attrs, "attrs");
        Path parent = file.getParent();
        if (parent != null) {
            ensure(parent, attrs);
        }
        return file;
    }

    /**
     * Runs {@code operation} on {@code file}; if it throws an exception and the parent of {@code file} is missing,
     * ensures that the parent is a directory and runs the operation once more.
     *
     * <p>So the operation may run twice, including anything it does before it opens the file. Use this method only with
     * operations that create {@code file}: if an operation only reads, a missing file has its parent directory created
     * for nothing.
     *
     * <p>No check precedes the first run, and nothing is cached. The class of the exception does not matter, because
     * operations tell of a missing directory in many ways. The parent is {@link Path#getParent}. After a {@link
     * NoSuchFileException} or {@link FileNotFoundException} the second run takes place even if the parent is a
     * directory by then, because another thread or process may just have created it. Other exceptions of the operation
     * and errors propagate unchanged, as does whatever the second run throws. If {@code file} has no parent, there is
     * no second run. If the parent cannot be created, the exception of {@link #ensure} is thrown, with the operation's
     * exception suppressed in it.
     *
     * @param <T> the type of the result
     * @param file a path of any file system
     * @param operation creates {@code file}; may run twice
     * @param attrs as for {@link #ensure}
     * @return the result of {@code operation}
     * @throws IOException if {@code operation} or {@link #ensure} of the parent throws it
     */
    public static <T extends @Nullable Object> T withParent(
            Path file, PathOperation<T> operation, FileAttribute<?>... attrs) throws IOException {
        requireNonNull(file, "file");
        requireNonNull(operation, "operation");
        requireNonNull(attrs, "attrs");
        try {
            return operation.apply(file);
        } catch (Exception failed) {
            Path parent = file.getParent();
            if (parent == null || !ensureAfter(failed, parent, attrs)) {
                throw failed;
            }
        }
        return operation.apply(file);
    }

    /**
     * Ensures {@code dir} if it is missing after an operation in it has failed. Returns whether to run the operation
     * once more.
     */
    private static boolean ensureAfter(Exception failed, Path dir, FileAttribute<?>... attrs) throws IOException {
        boolean missing = failed instanceof NoSuchFileException || failed instanceof FileNotFoundException;
        if (DirectoryCheck.isDirectory(dir)) {
            return missing;
        }
        if (!missing && !DirectoryCheck.isMissing(dir)) {
            return false;
        }
        try {
            new DirectoryCreation(dir, Thread::sleep, attrs).run();
            return true;
        } catch (IOException | RuntimeException | Error unrepaired) {
            if (unrepaired != failed) { // an exception cannot suppress itself
                unrepaired.addSuppressed(failed);
            }
            throw unrepaired;
        }
    }

    /**
     * Returns the entries of {@code dir}, each with its own attributes, not following symbolic links. The list is
     * unmodifiable and in no particular order.
     *
     * <p>The attributes of each entry are read once, at the time of listing; for an entry that is a symbolic link they
     * are those of the link. Where the system returns attributes together with the names, as Windows does, they take no
     * further system call, but sizes and times may be out of date for a file that is open for writing or has several
     * hard links. An entry that is deleted during the listing is omitted. Any other failure to read an entry ends the
     * listing and propagates unchanged.
     *
     * <p>If {@code dir} is a symbolic link to a directory, the file system follows it, and the entries are still named
     * {@code dir.resolve(name)}. On Windows the attributes are then read one by one.
     *
     * <p>If {@code dir} is renamed during the listing, or another directory takes its place, the entries are those of
     * the directory that was opened, with their own attributes, where the file system has a {@link
     * java.nio.file.SecureDirectoryStream}, as on Linux. Elsewhere entries may be omitted, or have the attributes of
     * others by their names.
     *
     * @param dir a directory of any file system
     * @return an entry for each file, directory, symbolic link or other object in {@code dir}
     * @throws NotDirectoryException if {@code dir} is neither a directory nor a symbolic link to one
     * @throws NoSuchFileException if {@code dir} does not exist or is a dangling symbolic link
     * @throws IOException if the directory or an entry of it cannot be read
     */
    public static List<Entry> entries(Path dir) throws IOException {
        List<Entry> entries = new ArrayList<>();
        forEachEntry(dir, entries::add);
        return Collections.unmodifiableList(entries);
    }

    /**
     * Passes each entry of {@code dir} to {@code action}: like {@link #entries}, for directories whose entries do not
     * fit in memory.
     *
     * <p>Any exception of {@code action} ends the listing, closes the directory and propagates unchanged, including
     * {@link NoSuchFileException}, which is not mistaken for that of a deleted entry.
     *
     * @param dir a directory of any file system
     * @param action called for each entry, in the calling thread
     * @throws NotDirectoryException if {@code dir} is neither a directory nor a symbolic link to one
     * @throws NoSuchFileException if {@code dir} does not exist or is a dangling symbolic link
     * @throws IOException if the directory or an entry of it cannot be read, or if {@code action} throws it
     */
    public static void forEachEntry(Path dir, EntryConsumer action) throws IOException {
        requireNonNull(dir, "dir");
        requireNonNull(action, "action");
        DirectoryListing.list(dir, action);
    }

    /**
     * An entry of a directory, with the attributes that it had when it was listed.
     *
     * <p>Two entries are equal if their paths and attributes are. Attributes of the JDK's file systems are compared by
     * identity, so entries of two listings are not equal: compare their paths instead.
     *
     * @param path the path of the directory with the name of the entry resolved against it
     * @param attributes of the entry itself, not following symbolic links
     */
    public record Entry(Path path, BasicFileAttributes attributes) {
        /**
         * Creates an entry.
         *
         * @param path the path of the directory with the name of the entry resolved against it
         * @param attributes of the entry itself, not following symbolic links
         */
        public Entry {
            requireNonNull(path, "path");
            requireNonNull(attributes, "attributes");
        }
    }

    /**
     * An operation that creates a file, such as opening or writing it.
     *
     * @param <T> the type of the result
     */
    @FunctionalInterface
    public interface PathOperation<T extends @Nullable Object> {
        /**
         * Runs the operation.
         *
         * @param file the file to create
         * @return the result
         * @throws IOException if the operation fails
         */
        T apply(Path file) throws IOException;
    }

    /** An action on each entry of a directory. */
    @FunctionalInterface
    public interface EntryConsumer {
        /**
         * Accepts the next entry.
         *
         * @param entry the entry, with the attributes that it had when it was listed
         * @throws IOException to end the listing
         */
        void accept(Entry entry) throws IOException;
    }
}
