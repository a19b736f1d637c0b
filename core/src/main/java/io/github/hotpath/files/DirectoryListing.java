package io.github.hotpath.files;

import static io.github.hotpath.files.DirectoryCheck.isOther;
import static java.nio.file.FileVisitResult.CONTINUE;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.github.hotpath.files.Dirs.Entry;
import io.github.hotpath.files.Dirs.EntryConsumer;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists a directory, and passes each entry to a consumer together with the entry's own attributes. */
final class DirectoryListing {
    /*
     * A directory is listed by a DirectoryStream, and the attributes are read entry by entry. On Windows only a tree
     * walk gets those that the system returns together with the names, so there it is a walk of depth one.
     *
     * A walk that follows symbolic links also follows those among the entries, and one that does not visits a start
     * that is a link as if it were a file. So a link to a directory is always listed by a stream, which leaves it to
     * the file system to follow the link. The real path of the link would not do: links under /proc, and those to
     * mounted volumes in a Windows container (docker/for-win#2800, nodejs/node#8897) or to some RAM disks
     * (xpipe-io/xpipe#118), lead to directories that no path may name. Nor would "link/.", which Windows resolves by
     * name. A SecureDirectoryStream takes the same system calls, and is only a few per cent faster.
     */

    private static final boolean IS_WINDOWS =
            DirectoryCheck.IS_OF_JDK && FileSystems.getDefault().getSeparator().equals("\\");

    private DirectoryListing() {}

    static void list(Path dir, EntryConsumer action) throws IOException {
        BasicFileAttributes own;
        try {
            own = Files.readAttributes(dir, BasicFileAttributes.class, NOFOLLOW_LINKS);
        } catch (IOException failed) {
            throw failureOf(dir, failed);
        }
        if (own.isDirectory() && IS_WINDOWS && dir.getFileSystem() == FileSystems.getDefault()) {
            walk(dir, action);
        } else if (own.isDirectory()
                || Files.readAttributes(dir, BasicFileAttributes.class).isDirectory()) {
            stream(dir, action);
        } else {
            throw new NotDirectoryException(dir.toString());
        }
    }

    private static void stream(Path dir, EntryConsumer action) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(dir)) {
            Iterator<Path> entries = stream.iterator();
            for (Path entry = next(entries); entry != null; entry = next(entries)) {
                BasicFileAttributes attributes;
                try {
                    attributes = Files.readAttributes(entry, BasicFileAttributes.class, NOFOLLOW_LINKS);
                } catch (NoSuchFileException vanished) {
                    continue;
                }
                action.accept(new Entry(entry, attributes));
            }
        }
    }

    /** Returns the next entry, or null after the last one. */
    private static @Nullable Path next(Iterator<Path> entries) throws IOException {
        try {
            return entries.hasNext() ? entries.next() : null;
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
    }

    /** Lists {@code dir}, which is no symbolic link. */
    static void walk(Path dir, EntryConsumer action) throws IOException {
        Files.walkFileTree(dir, Set.of(), 1, new SimpleFileVisitor<>() {
            // Whether the start of the walk is still a directory; if not, the walk visits the start itself.
            private boolean opened;

            @Override
            public FileVisitResult preVisitDirectory(Path start, BasicFileAttributes attributes) {
                opened = true;
                return CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path visited, BasicFileAttributes attributes) throws IOException {
                if (!opened) {
                    throw new NotDirectoryException(visited.toString());
                }
                action.accept(new Entry(visited, attributes));
                return CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path visited, IOException failed) throws IOException {
                if (opened && failed instanceof NoSuchFileException) {
                    return CONTINUE; // an entry that was deleted after its name was read
                }
                throw failed;
            }
        });
    }

    /**
     * Returns what to throw if the attributes of {@code dir} cannot be read: the same exception on every file system.
     * Below a regular file "." is no directory, and any other name is missing.
     */
    private static IOException failureOf(Path dir, IOException failed) {
        boolean unspecific = failed.getClass() == FileSystemException.class
                || failed instanceof NotDirectoryException && !dir.endsWith(".");
        if (!unspecific && !(failed instanceof NoSuchFileException)) {
            return failed;
        }
        Path named = dir;
        while (named.endsWith(".") && named.getParent() != null) {
            named = named.getParent();
        }
        FileSystemException specific;
        if (named != dir && isOther(named)) {
            specific = new NotDirectoryException(dir.toString());
        } else if (!unspecific || !isBelowFile(named)) {
            return failed;
        } else {
            specific = new NoSuchFileException(dir.toString());
        }
        specific.initCause(failed);
        return specific;
    }

    /** Whether the lowest existing ancestor of {@code path} is no directory. */
    private static boolean isBelowFile(Path path) {
        Path existing = path.getParent();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing != null && isOther(existing);
    }
}
