package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link DirectoryCheck} on the real file system, where it does not simply call {@link Files#isDirectory}. */
class DirectoryCheckTest {
    /** The most bytes that Linux takes for a path: PATH_MAX without the zero at its end. */
    private static final int LONGEST = 4095;

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(ints = {LONGEST, LONGEST - 1, LONGEST - 2, LONGEST - 3})
    @EnabledOnOs(OS.LINUX)
    void ensure_pathOfAlmostTheLongest_findsTheDirectory(int length) throws IOException {
        Path dir = pathOf(length);

        Dirs.ensure(dir);
        Dirs.ensure(dir);

        assertThat(dir).isDirectory();
    }

    /** Returns a path with as many bytes, in names of 200 and one of up to 250. */
    private Path pathOf(int length) throws IOException {
        Path path = temp.toRealPath();
        int left = length - path.toString().getBytes(StandardCharsets.UTF_8).length;
        for (; left > 251; left -= 201) {
            path = path.resolve("x".repeat(200));
        }
        return path.resolve("x".repeat(left - 1));
    }

    @Test
    void passes_sameNameOnOtherFileSystem_asksThatOne() throws IOException {
        try (Place place = Provider.JIMFS_UNIX.open(temp)) {
            Path here = Files.createDirectory(temp.resolve("a"));
            Path there = place.root().getFileSystem().getPath(here.toString());

            assertThat(DirectoryCheck.passes(here)).isTrue();
            assertThat(DirectoryCheck.passes(there)).isFalse();
            assertThat(DirectoryCheck.passes(here)).isTrue();
        }
    }

    /** Only of the JDK's own file system is it known that "dir/." exists in a directory alone. */
    @Test
    void passes_anotherDefaultFileSystem_asksIsDirectory() throws IOException, InterruptedException {
        List<String> printed = new ChildJvm(temp, Dirs.class, DirectoryCheckTest.class)
                .run(
                        Program.class,
                        List.of("-Djava.nio.file.spi.DefaultFileSystemProvider="
                                + WatchedFileSystem.Provider.class.getName()),
                        temp.toString());

        assertThat(printed).containsExactly("{CHECK=1}");
    }

    /** Prints the calls that an {@code ensure} of a directory makes to the default file system. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException {
            Path dir = Path.of(arguments[0]);
            Dirs.ensure(dir);
            WatchedFileSystem.of(dir).counts.clear();
            Dirs.ensure(dir);
            System.out.println(WatchedFileSystem.of(dir).counts);
        }
    }
}
