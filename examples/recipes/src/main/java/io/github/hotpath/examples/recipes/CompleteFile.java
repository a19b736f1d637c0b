package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
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

    /**
     * Writes {@code content} to a new file {@code temporary} and moves it to {@code file}, in the same file system.
     * After a failure there is no {@code temporary}, and {@code file} is the old or the new one.
     */
    static Path write(Path temporary, Path file, byte[] content) throws IOException {
        try {
            try (FileChannel channel = FileChannel.open(temporary, CREATE_NEW, WRITE)) {
                for (ByteBuffer bytes = ByteBuffer.wrap(content); bytes.hasRemaining(); ) {
                    channel.write(bytes);
                }
                channel.force(true); // before the move, or a power cut could leave the name without the content
            }
            Files.move(temporary, file, ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        forceDirectory(file.getParent()); // after the move, or a power cut could undo it
        return file;
    }

    /** Forces the names in {@code directory} to the disk. */
    static void forceDirectory(Path directory) throws IOException {
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
