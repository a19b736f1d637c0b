package io.github.hotpath.files;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A directory to work in, on a file system of a provider; {@code root} is an absolute path without links. */
record Place(Provider provider, Path root) implements Closeable {
    /** Returns the absolute path of these names, which are separated by slashes and kept as they are. */
    Path path(String names) {
        return under(root, names);
    }

    /** Returns the same as {@link #path} in relation to the working directory of the file system. */
    Path relative(String names) throws IOException {
        Path workingDirectory = root.getFileSystem().getPath("").toRealPath();
        assumeTrue(
                Objects.equals(workingDirectory.getRoot(), root.getRoot()),
                "no relative path leads to another drive of Windows");
        return under(workingDirectory.relativize(root), names);
    }

    private static Path under(Path base, String names) {
        Path path = base;
        for (String name : names.split("/", -1)) {
            path = path.resolve(name);
        }
        return path;
    }

    Path directory(String names) throws IOException {
        return Files.createDirectories(path(names));
    }

    /** Makes a file, and its parent. */
    Path file(String names) throws IOException {
        Path file = path(names);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "content");
    }

    /** Makes a link to a relative target, or aborts the test where there are none. */
    Path link(String names, String target) throws IOException {
        return link(names, under(root.getFileSystem().getPath(""), target));
    }

    /** Makes a link to any target, or aborts the test where this user may not, or the system makes none. */
    Path link(String names, Path target) throws IOException {
        Path link = path(names);
        try {
            Files.createSymbolicLink(link, target);
        } catch (FileSystemException denied) {
            if (isWindows()) {
                return abort("no right to make links: " + denied.getReason());
            }
            throw denied;
        }
        assumeTrue(
                Files.isSymbolicLink(link) || !isWindows(),
                "no symbolic links, as in Wine 8, which claims to make them");
        return link;
    }

    /** Whether it is Windows itself, also behind the SFTP server of this JVM, but not jimfs in its form. */
    boolean isWindows() {
        return (provider == Provider.REAL || provider == Provider.SFTP)
                && FileSystems.getDefault().getSeparator().equals("\\");
    }

    /** Whether the system removes ".." together with the name before it, without resolving that name. */
    boolean resolvesDotsByName() {
        return switch (provider) {
            case REAL, SFTP -> isWindows();
            case JIMFS_UNIX, JIMFS_OSX, JIMFS_WINDOWS -> false;
            default -> true;
        };
    }

    /**
     * Returns all files, directories and links, one line each, sorted: {@code dir/}, {@code file: content},
     * {@code link -> target}.
     */
    List<String> tree() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> !path.equals(root))
                    .map(this::describe)
                    .sorted()
                    .toList();
        }
    }

    private String describe(Path path) {
        String name = root.relativize(path).toString().replace('\\', '/');
        try {
            if (Files.isSymbolicLink(path)) {
                return name + " -> " + Files.readSymbolicLink(path);
            }
            return Files.isDirectory(path) ? name + "/" : name + ": " + Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (provider != Provider.REAL && provider != Provider.SFTP) {
            root.getFileSystem().close();
        }
    }
}
