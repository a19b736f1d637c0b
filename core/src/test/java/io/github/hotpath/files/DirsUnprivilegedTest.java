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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
    private static final Map<String, String> PERMISSIONS = Map.of(
            "readOnly", "r-xr-xr-x",
            "unsearchable", "r--r--r--", // only its names can be listed
            "unreadable", "--x--x--x");

    @TempDir
    Path temp;

    @BeforeEach
    void makeDirectories() throws IOException {
        assumeTrue(Files.getFileStore(temp).supportsFileAttributeView("posix"), "a system without permissions");
        for (String name : PERMISSIONS.keySet()) {
            Files.createDirectories(temp.resolve(name).resolve("there"));
        }
        Files.createSymbolicLink(temp.resolve("link"), temp.resolve("unsearchable/there"));
        permit("rwxr-xr-x", temp);
        for (Map.Entry<String, String> each : PERMISSIONS.entrySet()) {
            permit(each.getValue(), temp.resolve(each.getKey()));
        }
    }

    @AfterEach
    void permitToDelete() throws IOException {
        for (String name : PERMISSIONS.keySet()) {
            if (Files.exists(temp.resolve(name))) {
                permit("rwxr-xr-x", temp.resolve(name));
            }
        }
    }

    private static void permit(String permissions, Path... directories) throws IOException {
        for (Path directory : directories) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
        }
    }

    @Test
    void any_withoutRights_isToldSo() throws IOException, InterruptedException {
        assertThat(Files.isReadable(temp.resolve("unreadable")) ? seenByNobody() : Program.look(temp))
                .containsExactlyElementsOf(Program.EXPECTED);
    }

    private List<String> seenByNobody() throws IOException, InterruptedException {
        ChildJvm child = new ChildJvm(temp, Dirs.class, DirsUnprivilegedTest.class);
        try (Stream<Path> copies = Files.walk(temp.resolve("classes"))) {
            permit("rwxr-xr-x", copies.toArray(Path[]::new)); // for any umask
        }
        List<String> nobody = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
        List<String> probe = new ArrayList<>(nobody);
        probe.addAll(List.of("test", "-x", ChildJvm.JAVA.toString(), "-a", "-x", temp.toString()));
        try {
            child.execute(probe);
        } catch (IOException notHere) {
            return abort("no setpriv, or java or " + temp + " is out of reach for nobody");
        }
        return child.runAs(nobody, Program.class, List.of(), temp.toString());
    }

    /** Prints what {@link Dirs} does with the directories above. */
    static final class Program {
        /** The calls that are made, and what comes of each. */
        static final List<String> EXPECTED = List.of(
                "ensure readOnly: done",
                "ensure readOnly/there: done",
                "ensure readOnly/missing: AccessDeniedException readOnly/missing",
                "ensure readOnly/missing/x: AccessDeniedException readOnly/missing",
                "ensureParent readOnly/missing/x: AccessDeniedException readOnly/missing",
                "withParent readOnly/missing/x: AccessDeniedException readOnly/missing, suppressed NoSuchFileException",
                "withParent readOnly/x: AccessDeniedException readOnly/x",
                "ensure unsearchable: done",
                "ensure unsearchable/there: AccessDeniedException unsearchable/there",
                "ensure unsearchable/missing: AccessDeniedException unsearchable/missing",
                "ensure unsearchable/missing/x: AccessDeniedException unsearchable/missing/x,"
                        + " suppressed AccessDeniedException",
                // the target of the link cannot be seen
                "ensure link: FileAlreadyExistsException link, in its cause suppressed AccessDeniedException",
                "entries unsearchable: AccessDeniedException unsearchable/there",
                "ensure unreadable: done",
                "ensure unreadable/there: done",
                "entries unreadable: AccessDeniedException unreadable");

        private Program() {}

        public static void main(String[] arguments) {
            look(Path.of(arguments[0])).forEach(System.out::println);
        }

        static List<String> look(Path root) {
            return EXPECTED.stream()
                    .map(line -> line.substring(0, line.indexOf(':')))
                    .map(call -> call + ": " + outcome(root, call))
                    .toList();
        }

        private static String outcome(Path root, String call) {
            Path path = root.resolve(call.substring(call.indexOf(' ') + 1));
            try {
                switch (call.substring(0, call.indexOf(' '))) {
                    case "ensure" -> Dirs.ensure(path);
                    case "ensureParent" -> Dirs.ensureParent(path);
                    case "withParent" -> Dirs.withParent(path, file -> Files.writeString(file, ""));
                    default -> Dirs.entries(path);
                }
                return "done";
            } catch (FileSystemException failed) {
                String named = failed.getClass().getSimpleName() + " "
                        + root.relativize(Path.of(String.valueOf(failed.getFile())));
                String cause =
                        failed.getCause() == null ? "" : suppressedIn(failed.getCause(), ", in its cause suppressed ");
                return named + suppressedIn(failed, ", suppressed ") + cause;
            } catch (IOException failed) {
                return failed.toString();
            }
        }

        private static String suppressedIn(Throwable failed, String label) {
            return Stream.of(failed.getSuppressed())
                    .map(suppressed -> label + suppressed.getClass().getSimpleName())
                    .collect(Collectors.joining());
        }
    }
}
