package io.github.hotpath.files;

import static java.nio.file.FileVisitResult.CONTINUE;
import static java.nio.file.FileVisitResult.TERMINATE;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.github.hotpath.files.Dirs.Entry;
import io.github.hotpath.files.Dirs.EntryConsumer;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
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

/** One listing of a directory, which passes each entry to a consumer together with the entry's own attributes. */
final class DirectoryListing extends SimpleFileVisitor<Path> {
    /*
     * A directory is listed by a tree walk of depth one: on Windows only a walk gets the attributes that the system
     * returns together with the names. Elsewhere a walk reads them entry by entry, as every other way does.
     *
     * A walk that follows symbolic links also follows those among the entries, and one that does not visits a start
     * that is a symbolic link as if it were a file. So a symbolic link to a directory is listed by a DirectoryStream
     * instead, which leaves it to the file system to follow the link. The real path of the link would not do: the links
     * under /proc, and those to mounted volumes in a Windows container (docker/for-win#2800, nodejs/node#8897) or to
     * some RAM disks (xpipe-io/xpipe#118), lead to directories that no path may name. Nor would a walk of "link/.",
     * which Windows resolves by name.
     *
     * A SecureDirectoryStream would read attributes relative to the open directory. It takes the same system call for
     * each entry, and is a few per cent faster, which is not worth a second implementation.
     *
     * A SecurityException for a single entry omits that entry, because the walk of the JDK does so; through a symbolic
     * link it propagates.
     */

    private final EntryConsumer action;

    /** Whether the start of the walk is a directory; until then the walk visits the start itself. */
    private boolean opened;

    private DirectoryListing(EntryConsumer action) {
        this.action = action;
    }

    static void list(Path dir, EntryConsumer action) throws IOException {
        DirectoryListing listing = new DirectoryListing(action);
        Files.walkFileTree(dir, Set.of(), 1, listing);
        if (!listing.opened) {
            listing.listFollowing(dir);
        }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path start, BasicFileAttributes attributes) {
        opened = true;
        return CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path visited, BasicFileAttributes attributes) throws IOException {
        if (!opened) {
            return TERMINATE;
        }
        action.accept(new Entry(visited, attributes));
        return CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path visited, IOException failed) throws IOException {
        if (!opened) {
            throw failureOf(visited, failed);
        }
        if (failed instanceof NoSuchFileException) {
            return CONTINUE; // an entry that was deleted after its name was read
        }
        throw failed;
    }

    /** Lists {@code link}, which is no directory itself, if it is a symbolic link to one. */
    private void listFollowing(Path link) throws IOException {
        if (!Files.readAttributes(link, BasicFileAttributes.class).isDirectory()) {
            throw new NotDirectoryException(link.toString());
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(link)) {
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

    /**
     * Returns {@code failed}, which reading the attributes of {@code dir} has thrown, converted to the same exception
     * on every file system: if {@code dir} is a file followed by ".", it is not a directory; if it is a name below a
     * file, it is missing.
     */
    private static IOException failureOf(Path dir, IOException failed) {
        boolean unspecific = failed.getClass() == FileSystemException.class;
        boolean dots = dir.endsWith(".");
        if (!unspecific && !(failed instanceof NoSuchFileException && dots)) {
            return failed;
        }
        Path existing = dir.getParent();
        while (existing != null && !Files.exists(existing)) {
            dots &= existing.endsWith(".");
            existing = existing.getParent();
        }
        if (existing == null || Files.isDirectory(existing) || !dots && !unspecific) {
            return failed;
        }
        FileSystemException specific =
                dots ? new NotDirectoryException(dir.toString()) : new NoSuchFileException(dir.toString());
        specific.initCause(failed);
        return specific;
    }
}
