package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.UUID;

/** Files that are complete from the moment they can be seen, even after a power cut. */
final class CompleteFile {
    private CompleteFile() {}

    /** A way to force what was written to the disk. */
    interface Disk {
        void force(Path path, OpenOption openedFor) throws IOException;
    }

    /**
     * Writes {@code content} to {@code file}, in place of what is there: a file, or a symbolic link, whose target does
     * not change. Makes its directory if that is missing. When this returns, the file is on the disk, if its directory
     * was there before, and if the system can force directories at all. After a failure it is the old or the new one.
     *
     * <p>An interrupt does not stop it, and the thread stays interrupted.
     */
    static void write(Path file, byte[] content) throws IOException {
        write(file, content, (path, openedFor) -> {
            try (FileChannel channel = FileChannel.open(path, openedFor)) {
                channel.force(true);
            }
        });
    }

    static void write(Path file, byte[] content, Disk disk) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted(); // or the channel would be closed
                try {
                    Dirs.withParent(file, f -> replace(f, content, disk));
                    return;
                } catch (ClosedByInterruptException e) {
                    // Interrupted meanwhile: it is written once more.
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Path replace(Path file, byte[] content, Disk disk) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        boolean canForce = canForce(directory, disk);
        Path temporary = file.resolveSibling("." + UUID.randomUUID() + ".tmp"); // a move is atomic within a file system
        try {
            Files.write(temporary, content, CREATE_NEW, WRITE);
            disk.force(temporary, WRITE); // before the move, or a power cut could leave the name without the content
            Files.move(temporary, file, ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        if (canForce) {
            disk.force(directory, READ); // after the move, or a power cut could undo it
        }
        return file;
    }

    /**
     * Returns whether the system forces directories. Windows opens none, and CIFS and others refuse it. It is asked
     * before anything has changed, so that what fails afterwards is a failure of the disk.
     */
    private static boolean canForce(Path directory, Disk disk) throws IOException {
        try {
            disk.force(directory, READ);
            return true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            return false;
        }
    }
}
