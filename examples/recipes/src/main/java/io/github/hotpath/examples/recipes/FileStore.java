package io.github.hotpath.examples.recipes;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A store of many files, each named by the hash of its content and spread over subdirectories: {@code ab/cd/abcdef...}.
 * A file is complete from the moment it can be seen, even after a power cut. Thread-safe, and safe to share with other
 * processes.
 */
final class FileStore {
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");

    private final Path root;

    FileStore(Path root) {
        this.root = root;
    }

    /**
     * Stores {@code content}, and returns its name, which is its SHA-256. What is stored already is not written again,
     * but is as young as a new file: something may delete old ones.
     */
    String put(byte[] content) throws IOException {
        String name = HexFormat.of().formatHex(sha256().digest(content));
        Path file = path(name);
        if (!makeYoung(file)) {
            try {
                CompleteFile.write(file, content);
            } catch (AccessDeniedException e) { // Windows, if another thread was faster, and its file is being read
                if (!makeYoung(file)) {
                    throw e;
                }
            }
        }
        return name;
    }

    /** Returns the path of the file with that name, which may be missing. */
    Path path(String name) {
        // A name from outside, such as "../../..", must not lead out of the store.
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name: " + name + " (expected: a SHA-256)");
        }
        return root.resolve(name.substring(0, 2)).resolve(name.substring(2, 4)).resolve(name);
    }

    /** Returns false if the file is missing, or belongs to another user. */
    private static boolean makeYoung(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has it", e);
        }
    }
}
