package io.github.hotpath.examples.recipes;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Deletes old files. The attributes come with the entries of a directory, so a file that stays costs no further call of
 * the file system. Symbolic links and junctions are neither followed nor deleted.
 */
final class Retention {
    private static final Comparator<Dirs.Entry> NEWEST_FIRST =
            Comparator.comparing(Retention::lastModified).reversed().thenComparing(Dirs.Entry::path);

    private Retention() {}

    /**
     * Deletes files in {@code dir}, and below, that are older than {@code age}, and directories that are and empty.
     *
     * @param failures takes what keeps one from being deleted, or a directory from being read: the others are deleted
     */
    static void deleteOlderThan(Path dir, Duration age, InstantSource clock, Consumer<IOException> failures)
            throws IOException {
        deleteBefore(dir, FileTime.from(clock.instant().minus(age)), failures);
    }

    private static void deleteBefore(Path dir, FileTime time, Consumer<IOException> failures) throws IOException {
        Dirs.forEachEntry(dir, entry -> {
            // A junction of Windows is both, and leads elsewhere.
            boolean isDirectory =
                    entry.attributes().isDirectory() && !entry.attributes().isOther();
            boolean isOld = lastModified(entry).compareTo(time) < 0; // a directory: before its files are deleted
            try {
                if (isDirectory) {
                    deleteBefore(entry.path(), time, failures);
                }
                if (isOld && (isDirectory || entry.attributes().isRegularFile())) {
                    Files.delete(entry.path()); // which the file system refuses if it is not empty, at any moment
                }
            } catch (DirectoryNotEmptyException | NoSuchFileException e) {
                // In use, or deleted by another process.
            } catch (IOException e) {
                failures.accept(e);
            }
        });
    }

    /**
     * Deletes the oldest files in {@code dir} until the others, the newest, have at most {@code bytes} together.
     *
     * @param failures takes what keeps one from being deleted: the others are deleted
     */
    static void deleteOldestOver(Path dir, long bytes, Consumer<IOException> failures) throws IOException {
        List<Dirs.Entry> files = Dirs.entries(dir).stream()
                .filter(entry -> entry.attributes().isRegularFile())
                .sorted(NEWEST_FIRST)
                .toList();
        long sum = 0;
        for (Dirs.Entry file : files) {
            sum += file.attributes().size();
            try {
                if (sum > bytes) {
                    Files.deleteIfExists(file.path());
                }
            } catch (IOException e) {
                failures.accept(e);
            }
        }
    }

    private static FileTime lastModified(Dirs.Entry entry) {
        return entry.attributes().lastModifiedTime();
    }
}
