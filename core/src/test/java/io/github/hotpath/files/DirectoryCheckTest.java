package io.github.hotpath.files;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link DirectoryCheck} on the real file system, where it does not simply ask {@link Files#isDirectory}. */
@Timeout(60)
class DirectoryCheckTest {
    /** The most bytes that Linux takes for a path: PATH_MAX without the zero at its end. */
    private static final int LONGEST = 4095;

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(ints = {LONGEST, LONGEST - 1, LONGEST - 2, LONGEST - 3})
    @EnabledOnOs(OS.LINUX)
    void passes_pathOfAlmostTheLongest_findsTheDirectory(int length) throws IOException {
        Path dir = pathOf(length);

        assertThat(DirectoryCheck.passes(dir)).isFalse();
        Dirs.ensure(dir);
        assertThat(DirectoryCheck.passes(dir)).isTrue();
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

    /** One path after the other, twice each, so that each question follows itself and every other one. */
    @Test
    void passes_differentPathsInTurn_answersEach() throws IOException {
        Path dir = Files.createDirectory(temp.resolve("Aa"));
        Path file = Files.createFile(temp.resolve("BB")); // the same hash code as the directory's
        Path missing = temp.resolve("missing");
        Path again = temp.resolve("Aa");

        for (int round = 0; round < 3; round++) {
            for (Path path : new Path[] {dir, dir, file, file, dir, missing, missing, again, file, missing, dir}) {
                assertThat(DirectoryCheck.passes(path)).as("%s", path).isEqualTo(path.equals(dir));
            }
        }
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

    @Test
    void passes_directoryComesAndGoes_neverStale() throws IOException {
        Path dir = temp.resolve("dir");

        for (int round = 0; round < 3; round++) {
            assertThat(DirectoryCheck.passes(dir)).isFalse();
            Files.createDirectory(dir);
            assertThat(DirectoryCheck.passes(dir)).isTrue();
            Files.delete(dir);
            Files.createFile(dir);
            assertThat(DirectoryCheck.passes(dir)).isFalse();
            Files.delete(dir);
        }
    }

    /** More threads than there are places to remember a question in, half with a directory and half with a file. */
    @Test
    void passes_manyThreads_eachGetsItsOwnAnswer() throws Exception {
        int threads = 130;
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Callable<Boolean>> askers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            boolean expected = i % 2 == 0;
            Path path = temp.resolve("path" + i);
            Path made = expected ? Files.createDirectory(path) : Files.createFile(path);
            askers.add(() -> {
                start.await();
                boolean right = true;
                for (int k = 0; k < 300; k++) {
                    right &= DirectoryCheck.passes(made) == expected;
                    Thread.yield();
                }
                return right;
            });
        }
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (Future<Boolean> right : executor.invokeAll(askers)) {
                assertThat(right.get()).isTrue();
            }
        } finally {
            executor.shutdownNow();
            assertThat(executor.awaitTermination(10, SECONDS)).isTrue();
        }
    }

    /** What answers for "dir/." is known of the JDK's own file system only. */
    @Test
    void passes_anotherDefaultFileSystem_asksIsDirectory() throws IOException, InterruptedException {
        List<String> printed = new ChildJvm(temp)
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
            WatchedFileSystem.of(dir).counts().clear();
            Dirs.ensure(dir);
            System.out.println(WatchedFileSystem.of(dir).counts());
        }
    }
}
