package io.github.hotpath.examples.article;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A way to list a directory, and the mail's times of it: a user's Windows, then the answer's Solaris and Windows. */
enum Listing {
    NAMES("names alone", "300", "22", "21") {
        @Override
        long count(Path dir) throws IOException {
            long files = 0;
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
                for (Path ignored : entries) {
                    files++;
                }
            }
            return files;
        }
    },
    ONE_BY_ONE("names, then attributes one by one", "9000", "88", "237") {
        @Override
        long count(Path dir) throws IOException {
            long files = 0;
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
                for (Path entry : entries) {
                    files += oneIfFile(Files.readAttributes(entry, BasicFileAttributes.class));
                }
            }
            return files;
        }
    },
    WALK("tree walk", "480", "83", "20") {
        @Override
        long count(Path dir) throws IOException {
            long[] files = new long[1];
            Files.walkFileTree(dir, Set.of(), 1, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files[0] += oneIfFile(attributes);
                    return FileVisitResult.CONTINUE;
                }
            });
            return files[0];
        }
    },
    FIND("Files.find", "-", "-", "-") {
        @Override
        long count(Path dir) throws IOException {
            try (Stream<Path> found = Files.find(dir, 1, (path, attributes) -> oneIfFile(attributes) == 1)) {
                return found.count();
            }
        }
    },
    ENTRIES("Dirs.entries", "-", "-", "-") {
        @Override
        long count(Path dir) throws IOException {
            long files = 0;
            for (Dirs.Entry entry : Dirs.entries(dir)) {
                files += oneIfFile(entry.attributes());
            }
            return files;
        }
    };

    private final String title;
    private final List<String> inMail;

    Listing(String title, String... inMail) {
        this.title = title;
        this.inMail = List.of(inMail);
    }

    /** Returns how many files are in {@code dir}, by their attributes if this way has them. */
    abstract long count(Path dir) throws IOException;

    static long oneIfFile(BasicFileAttributes attributes) {
        return attributes.isRegularFile() ? 1 : 0;
    }

    /** Returns the mail's three times in milliseconds, a dash where it has none. */
    List<String> inMail() {
        return inMail;
    }

    @Override
    public String toString() {
        return title;
    }
}
