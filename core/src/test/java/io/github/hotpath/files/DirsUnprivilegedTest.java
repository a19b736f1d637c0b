package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link Dirs} for a user without all permissions.
 *
 * <p>If the tests run as such a user, they check it themselves. If they run as root, they start a child as
 * {@code nobody}.
 */
@Timeout(600)
class DirsUnprivilegedTest {
    @TempDir
    Path temp;

    /** May be read and searched, but not written. */
    private Path readOnly;

    /** May be read, but not searched: only its names can be listed. */
    private Path unsearchable;

    /** May be searched, but not read. */
    private Path unreadable;

    @BeforeEach
    void makeDirectories() throws IOException {
        assumeTrue(Files.getFileStore(temp).supportsFileAttributeView("posix"), "a system without permissions");
        readOnly = Files.createDirectories(temp.resolve("readOnly"));
        unsearchable = Files.createDirectories(temp.resolve("unsearchable"));
        unreadable = Files.createDirectories(temp.resolve("unreadable"));
        for (Path dir : List.of(readOnly, unsearchable, unreadable)) {
            Files.createDirectory(dir.resolve("there"));
        }
        Files.createSymbolicLink(temp.resolve("link"), unsearchable.resolve("there"));
        permit("rwxr-xr-x", temp);
        permit("r-xr-xr-x", readOnly);
        permit("r--r--r--", unsearchable);
        permit("--x--x--x", unreadable);
    }

    @AfterEach
    void permitToDelete() throws IOException {
        if (readOnly != null) {
            permit("rwxr-xr-x", readOnly, unsearchable, unreadable);
        }
    }

    private static void permit(String permissions, Path... directories) throws IOException {
        for (Path directory : directories) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
        }
    }

    @Test
    void any_withoutRights_isToldSo() throws IOException, InterruptedException {
        List<String> seen = Files.isReadable(unreadable) ? seenByNobody() : Program.look(temp);

        assertThat(seen)
                .containsExactly(
                        "ensure readOnly: done",
                        "ensure readOnly/there: done",
                        "ensure readOnly/missing: AccessDeniedException readOnly/missing",
                        "ensure readOnly/missing/x: AccessDeniedException readOnly/missing",
                        "ensureParent readOnly/missing/x: AccessDeniedException readOnly/missing",
                        "withParent readOnly/missing/x: AccessDeniedException readOnly/missing,"
                                + " suppressed NoSuchFileException",
                        "withParent readOnly/x: AccessDeniedException readOnly/x",
                        "check unsearchable: true",
                        "ensure unsearchable: done",
                        "ensure unsearchable/there: AccessDeniedException unsearchable/there",
                        "ensure unsearchable/missing: AccessDeniedException unsearchable/missing",
                        "ensure unsearchable/missing/x: AccessDeniedException unsearchable/missing/x,"
                                + " suppressed AccessDeniedException",
                        "ensure link: FileAlreadyExistsException link, suppressed AccessDeniedException",
                        "entries unsearchable: AccessDeniedException unsearchable/there",
                        "check unreadable: true",
                        "ensure unreadable: done",
                        "ensure unreadable/there: done",
                        "entries unreadable: AccessDeniedException unreadable");
    }

    private List<String> seenByNobody() throws IOException, InterruptedException {
        ChildJvm child = new ChildJvm(temp, Dirs.class, DirsUnprivilegedTest.class);
        try (Stream<Path> copies = Files.walk(temp.resolve("classes"))) {
            permit("rwxr-xr-x", copies.toArray(Path[]::new)); // for any umask
        }
        for (List<String> nobody : List.of(
                List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
                List.of("runuser", "-u", "nobody", "--"))) {
            try {
                child.execute(
                        concat(nobody, List.of("test", "-x", ChildJvm.JAVA.toString(), "-a", "-x", temp.toString())));
            } catch (IOException notHere) {
                continue;
            }
            return child.runAs(nobody, Program.class, List.of(), temp.toString());
        }
        return abort("nothing here to drop root's rights with, or java or " + temp + " is out of reach without them");
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /** Prints what {@link Dirs} does with the directories above. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            look(Path.of(arguments[0])).forEach(System.out::println);
        }

        static List<String> look(Path root) {
            return List.of(
                    attempt("ensure", root, "readOnly", Dirs::ensure),
                    attempt("ensure", root, "readOnly/there", Dirs::ensure),
                    attempt("ensure", root, "readOnly/missing", Dirs::ensure),
                    attempt("ensure", root, "readOnly/missing/x", Dirs::ensure),
                    attempt("ensureParent", root, "readOnly/missing/x", Dirs::ensureParent),
                    attempt("withParent", root, "readOnly/missing/x", Program::writeWithParent),
                    attempt("withParent", root, "readOnly/x", Program::writeWithParent),
                    "check unsearchable: " + DirectoryCheck.passes(root.resolve("unsearchable")),
                    attempt("ensure", root, "unsearchable", Dirs::ensure),
                    attempt("ensure", root, "unsearchable/there", Dirs::ensure),
                    attempt("ensure", root, "unsearchable/missing", Dirs::ensure),
                    attempt("ensure", root, "unsearchable/missing/x", Dirs::ensure),
                    attempt("ensure", root, "link", Dirs::ensure), // its target cannot be seen
                    attempt("entries", root, "unsearchable", Dirs::entries),
                    "check unreadable: " + DirectoryCheck.passes(root.resolve("unreadable")),
                    attempt("ensure", root, "unreadable", Dirs::ensure),
                    attempt("ensure", root, "unreadable/there", Dirs::ensure),
                    attempt("entries", root, "unreadable", Dirs::entries));
        }

        private static Path writeWithParent(Path file) throws IOException {
            return Dirs.withParent(file, f -> Files.writeString(f, ""));
        }

        private static String attempt(String name, Path root, String path, Dirs.PathOperation<?> operation) {
            String outcome = "done";
            try {
                operation.apply(root.resolve(path));
            } catch (FileSystemException failed) {
                outcome = failed.getClass().getSimpleName() + " "
                        + root.relativize(Path.of(String.valueOf(failed.getFile())));
                for (Throwable suppressed : failed.getSuppressed()) {
                    outcome += ", suppressed " + suppressed.getClass().getSimpleName();
                }
            } catch (IOException failed) {
                outcome = failed.toString();
            }
            return name + " " + path + ": " + outcome;
        }
    }
}
