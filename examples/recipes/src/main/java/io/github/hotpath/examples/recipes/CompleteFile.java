package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that are complete from the moment they can be seen, even after a power cut, and stay. */
final class CompleteFile {
    private CompleteFile() {}

    /** A way to move a file in place of another one. */
    interface Move {
        void move(Path from, Path to) throws IOException;
    }

    /**
     * Writes {@code content} to {@code temporary}, a name of its own, and moves it to {@code file}, in the same file
     * system. After a failure there is no {@code temporary}, and {@code file} is the old or the new one. Only the
     * directory of {@code file} is forced: if it is new itself, not every file system promises that it stays.
     */
    static Path write(Path temporary, Path file, byte[] content) throws IOException {
        return write(temporary, file, content, (from, to) -> Files.move(from, to, ATOMIC_MOVE));
    }

    /** Takes how it is moved, else as {@link #write(Path, Path, byte[])}. */
    static Path write(Path temporary, Path file, byte[] content, Move move) throws IOException {
        try {
            try (FileChannel channel = FileChannel.open(temporary, CREATE, TRUNCATE_EXISTING, WRITE)) {
                for (ByteBuffer bytes = ByteBuffer.wrap(content); bytes.hasRemaining(); ) {
                    channel.write(bytes);
                }
                channel.force(true); // before the move, or a power cut could leave the name without the content
            }
            move.move(temporary, file);
        } finally {
            Files.deleteIfExists(temporary);
        }
        forceDirectory(file.getParent()); // after the move, or a power cut could undo it
        return file;
    }

    /** Forces the names in {@code directory} to the disk. */
    private static void forceDirectory(Path directory) throws IOException {
        if (directory.getFileSystem() != FileSystems.getDefault()) {
            return; // one in memory has no disk
        }
        FileChannel channel;
        try {
            channel = FileChannel.open(directory, READ);
        } catch (AccessDeniedException e) {
            return; // Windows opens no directory, and has no need
        }
        try (channel) {
            channel.force(true);
        }
    }
}
