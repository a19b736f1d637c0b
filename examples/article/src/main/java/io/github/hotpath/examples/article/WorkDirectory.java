package io.github.hotpath.examples.article;

import static java.util.Comparator.reverseOrder;

import io.github.hotpath.examples.WrongArgumentException;
import io.github.hotpath.files.Dirs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The directory that a program works in: one that its user named, or one of its own, deleted when this is closed. */
final class WorkDirectory implements Closeable {
    private final Path path;
    private final boolean own;

    private WorkDirectory(Path path, boolean own) {
        this.path = path;
        this.own = own;
    }

    /**
     * Returns the directory that the option {@code --dir} names, created if necessary, or else a new one in {@code
     * base}.
     *
     * @throws WrongArgumentException if the option does not name a possible directory
     */
    static WorkDirectory open(Optional<Path> named, Path base) throws IOException {
        return named.isPresent()
                ? new WorkDirectory(made("--dir", named.get()), false)
                : new WorkDirectory(Files.createTempDirectory(base, "hotpath-"), true);
    }

    /** Returns the directory that {@code option} names, created if necessary. */
    static Path made(String option, Path dir) {
        try {
            return Dirs.ensure(dir);
        } catch (IOException e) {
            throw new WrongArgumentException(option + " " + dir, "no directory can be made there (" + e + ")");
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        if (own) {
            for (Path each : childrenFirst()) {
                Files.delete(each);
            }
        }
    }

    private List<Path> childrenFirst() throws IOException {
        try (Stream<Path> tree = Files.walk(path)) {
            return tree.sorted(reverseOrder()).toList();
        }
    }
}
