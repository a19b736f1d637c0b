package io.github.hotpath.files;

import static java.nio.file.FileVisitResult.CONTINUE;
import static java.nio.file.FileVisitResult.TERMINATE;

import io.github.hotpath.files.Dirs.Entry;
import io.github.hotpath.files.Dirs.EntryConsumer;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/** One listing of a directory: a tree walk that stays in it and passes on what it is handed. */
final class DirectoryListing extends SimpleFileVisitor<Path> {
    /*
     * A tree walk, because it is the only one that is handed the attributes which Windows delivers with the directory;
     * all other ways read them again, entry by entry. Elsewhere it costs what they cost.
     *
     * The walk does not follow links, for that would also follow those among the entries. So a start that is a link to
     * a directory arrives as a file; it is walked again by its real path, and its entries are named under the link.
     */

    /** The directory as the caller names it. */
    private final Path dir;

    /** Where the walk begins: {@link #dir}, or what that links to. */
    private final Path start;

    private final EntryConsumer action;

    /** Whether the start was a directory; what is visited before is the start itself. */
    private boolean opened;

    private DirectoryListing(Path dir, Path start, EntryConsumer action) {
        this.dir = dir;
        this.start = start;
        this.action = action;
    }

    static void list(Path dir, EntryConsumer action) throws IOException {
        boolean listed = new DirectoryListing(dir, dir, action).walk()
                || Files.readAttributes(dir, BasicFileAttributes.class).isDirectory()
                        && new DirectoryListing(dir, dir.toRealPath(), action).walk();
        if (!listed) {
            throw new NotDirectoryException(dir.toString());
        }
    }

    /** Lists the start if it is a directory, and says whether it was. */
    private boolean walk() throws IOException {
        Files.walkFileTree(start, Set.of(), 1, this);
        return opened;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
        opened = true;
        return CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path visited, BasicFileAttributes attributes) throws IOException {
        if (!opened) {
            return TERMINATE;
        }
        action.accept(new Entry(start == dir ? visited : dir.resolve(visited.getFileName()), attributes));
        return CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path visited, IOException failed) throws IOException {
        if (opened && failed instanceof NoSuchFileException) {
            return CONTINUE; // an entry that has vanished since its name was read
        }
        throw failed;
    }
}
