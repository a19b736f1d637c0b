package io.github.hotpath.files;

import static java.util.Objects.requireNonNull;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
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
 * Makes sure that directories exist, and lists them with their entries' attributes, on any file system.
 *
 * <pre>{@code
 * Dirs.ensure(shard);                                          // one system call when it is there
 * Files.writeString(Dirs.ensureParent(file), content);         // the same for the directory of a file
 * Dirs.withParent(file, f -> Files.writeString(f, content));   // no call at all when it is there
 * }</pre>
 *
 * <p>{@link java.nio.file.Files#createDirectories createDirectories} tries to make a directory that exists and pays for
 * the exception each time; it fails where the system answers anything but "exists", and where another process deletes
 * at the same moment. {@code ensure} looks first, and counts a failure as success if the directory is there by then.
 *
 * <p>Paths are used as they are: never made absolute, normalized or resolved. All methods are thread-safe, remember
 * nothing of what is on the disk, and may be raced by others that make or delete the same directories. A path, or an
 * array of attributes, that is null is a {@link NullPointerException}, whether the directory exists or not. Unchecked
 * exceptions of the provider, such as {@link java.nio.file.ReadOnlyFileSystemException}, pass as they are.
 */
public final class Dirs {
    private Dirs() {}

    /**
     * Makes sure that {@code dir} is a directory, making it and its missing ancestors if need be, and returns
     * {@code dir} itself.
     *
     * <p>When it returns, {@code dir} was seen to be a directory, links followed, or was made by this call. A directory
     * that exists costs one check and no exception. What was made before a failure stays.
     *
     * @param dir a path of any file system
     * @param attrs for every directory that this call makes; not looked at if there is none to make
     * @return {@code dir}, the same reference
     * @throws FileAlreadyExistsException if {@code dir} is something else: a file, a link to one, or a link to nothing
     * @throws NotDirectoryException naming the ancestor that is no directory, if there is one
     * @throws IOException if the file system refuses otherwise; with its own exception
     */
    public static Path ensure(Path dir, FileAttribute<?>... attrs) throws IOException {
        requireNonNull(dir, "dir");
        requireNonNull(attrs, "attrs");
        if (!DirectoryCheck.passes(dir)) {
            new DirectoryCreation(dir, attrs).run();
        }
        return dir;
    }

    /**
     * Makes sure that the directory which {@code file} is in exists, and returns {@code file} itself: {@link #ensure}
     * of its parent by name, or nothing if it has none.
     *
     * @param file a path of any file system
     * @param attrs as for {@link #ensure}
     * @return {@code file}, the same reference
     * @throws IOException as {@link #ensure} does for the parent
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
     * Runs {@code operation} on {@code file} and, only if it finds something missing, makes sure of the directory which
     * the file is in and runs it once more.
     *
     * <p>No check is made before, and nothing is remembered that could become untrue. After a
     * {@link NoSuchFileException} or {@link FileNotFoundException} the parent by name is made, unless it is a directory
     * by now, as when somebody else has made it since. Any other failure, one for a file without a parent, and one of
     * the second run pass as they are. If the parent cannot be made, the exception says why, with the first one
     * suppressed in it.
     *
     * @param <T> what {@code operation} returns
     * @param file a path of any file system
     * @param operation may run twice, and so may whatever it does before it opens the file
     * @param attrs as for {@link #ensure}
     * @return what {@code operation} returned
     * @throws IOException what {@code operation} throws, or {@link #ensure} for the parent
     */
    public static <T extends @Nullable Object> T withParent(
            Path file, PathOperation<T> operation, FileAttribute<?>... attrs) throws IOException {
        requireNonNull(file, "file");
        requireNonNull(operation, "operation");
        requireNonNull(attrs, "attrs");
        try {
            return operation.apply(file);
        } catch (NoSuchFileException | FileNotFoundException missing) {
            Path parent = file.getParent();
            if (parent == null) {
                throw missing;
            }
            makeAfter(missing, parent, attrs);
        }
        return operation.apply(file);
    }

    /** Makes {@code dir}, unless it is a directory by now, after something was {@code missing}. */
    private static void makeAfter(IOException missing, Path dir, FileAttribute<?>... attrs) throws IOException {
        try {
            if (!Files.isDirectory(dir)) {
                new DirectoryCreation(dir, attrs).run();
            }
        } catch (IOException | RuntimeException | Error failed) {
            if (failed != missing) { // an exception cannot suppress itself
                failed.addSuppressed(missing);
            }
            throw failed;
        }
    }

    /**
     * Returns the entries of {@code dir}, each with its own attributes: links are not followed. The list is
     * unmodifiable and in no particular order.
     *
     * <p>The attributes are those of one reading at the time of listing. Where the platform gives them with the
     * directory, as Windows does, they cost nothing, but size and times may lag behind for a file that is open for
     * writing or has several hard links. Entries that vanish meanwhile are left out. If {@code dir} is a link to a
     * directory, that is listed, and entries are named {@code dir.resolve(name)}.
     *
     * @param dir a directory of any file system
     * @return one entry for each file, directory or link in it
     * @throws NotDirectoryException if {@code dir} is no directory
     * @throws NoSuchFileException if nothing is there
     * @throws IOException if the directory or an entry of it cannot be read
     */
    public static List<Entry> entries(Path dir) throws IOException {
        List<Entry> entries = new ArrayList<>();
        forEachEntry(dir, entries::add);
        return Collections.unmodifiableList(entries);
    }

    /**
     * Passes the entries of {@code dir} to {@code action} one by one: {@link #entries} for directories too large to
     * hold.
     *
     * <p>What {@code action} throws ends the listing and is thrown here, whatever it is.
     *
     * @param dir a directory of any file system
     * @param action called for each entry, in this thread
     * @throws NotDirectoryException if {@code dir} is no directory
     * @throws NoSuchFileException if nothing is there
     * @throws IOException if the directory or an entry of it cannot be read, or if {@code action} throws it
     */
    public static void forEachEntry(Path dir, EntryConsumer action) throws IOException {
        requireNonNull(dir, "dir");
        requireNonNull(action, "action");
        DirectoryListing.list(dir, action);
    }

    /**
     * An entry of a directory, with the attributes that it had when it was listed. Two entries are equal only if their
     * attributes are, and those of the JDK's file systems equal nothing but themselves: compare paths.
     *
     * @param path the directory's path with the entry's name added
     * @param attributes of the entry itself, not of what a link points to
     */
    public record Entry(Path path, BasicFileAttributes attributes) {
        /**
         * Takes both as they are; neither may be null.
         *
         * @param path the directory's path with the entry's name added
         * @param attributes of the entry itself
         */
        public Entry {
            requireNonNull(path, "path");
            requireNonNull(attributes, "attributes");
        }
    }

    /**
     * An operation on a file, such as opening or writing it.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    public interface PathOperation<T extends @Nullable Object> {
        /**
         * Runs the operation.
         *
         * @param file what to run it on
         * @return its result
         * @throws IOException if it fails
         */
        T apply(Path file) throws IOException;
    }

    /** An action on each entry of a directory. */
    @FunctionalInterface
    public interface EntryConsumer {
        /**
         * Takes the next entry.
         *
         * @param entry with the attributes that it had when it was listed
         * @throws IOException to end the listing
         */
        void accept(Entry entry) throws IOException;
    }
}
