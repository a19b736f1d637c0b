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

/**
 * Deletes old files. The attributes come with the entries of a directory, so a file that stays costs no further call of
 * the file system. Symbolic links are neither followed nor deleted.
 */
final class Retention {
    private static final Comparator<Dirs.Entry> NEWEST_FIRST =
            Comparator.comparing(Retention::lastModified).reversed().thenComparing(Dirs.Entry::path);

    private Retention() {}

    /** Deletes files in {@code dir}, and below, that are older than {@code age}, and directories that are and empty. */
    static void deleteOlderThan(Path dir, Duration age, InstantSource clock) throws IOException {
        deleteBefore(dir, FileTime.from(clock.instant().minus(age)));
    }

    private static void deleteBefore(Path dir, FileTime time) throws IOException {
        Dirs.forEachEntry(dir, entry -> {
            if (entry.attributes().isDirectory()) {
                deleteDirectory(entry, time);
            } else if (entry.attributes().isRegularFile() && isBefore(entry, time)) {
                Files.deleteIfExists(entry.path());
            }
        });
    }

    private static void deleteDirectory(Dirs.Entry entry, FileTime time) throws IOException {
        try {
            deleteBefore(entry.path(), time);
            if (isBefore(entry, time)) { // as it was before its files were deleted
                Files.delete(entry.path()); // which the file system refuses if there are others, at any moment
            }
        } catch (DirectoryNotEmptyException | NoSuchFileException e) {
            // In use, or deleted by another process.
        }
    }

    /** Deletes the oldest files in {@code dir} until the others, the newest, have at most {@code bytes} together. */
    static void deleteOldestOver(Path dir, long bytes) throws IOException {
        List<Dirs.Entry> files = Dirs.entries(dir).stream()
                .filter(entry -> entry.attributes().isRegularFile())
                .sorted(NEWEST_FIRST)
                .toList();
        long sum = 0;
        for (Dirs.Entry file : files) {
            sum += file.attributes().size();
            if (sum > bytes) {
                Files.deleteIfExists(file.path());
            }
        }
    }

    private static boolean isBefore(Dirs.Entry entry, FileTime time) {
        return lastModified(entry).compareTo(time) < 0;
    }

    private static FileTime lastModified(Dirs.Entry entry) {
        return entry.attributes().lastModifiedTime();
    }
}
