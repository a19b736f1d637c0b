package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.testing.GcFinalization;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link DirectoryCheck} on the real file system, where it does not simply call {@link Files#isDirectory}. */
@Timeout(60)
class DirectoryCheckTest {
    /** The most bytes that Linux takes for a path: PATH_MAX without the zero at its end. */
    private static final int LONGEST = 4095;

    private static final int SHARING = 4;

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

    /** One path after the other, twice each, so that each probe follows itself and every other one. */
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

    /** Threads that keep their last probe in the same slot, half with a directory and half with a file. */
    @Test
    void passes_threadsThatShareASlot_eachGetsItsOwnAnswer() throws Exception {
        CyclicBarrier start = new CyclicBarrier(SHARING);
        List<FutureTask<Boolean>> askers = new ArrayList<>();
        for (int i = 0; i < SHARING; i++) {
            boolean expected = i % 2 == 0;
            Path path = temp.resolve("path" + i);
            Path made = expected ? Files.createDirectory(path) : Files.createFile(path);
            Path[] inTurn = {made, temp.resolve("path" + i)}; // so that no thread can use its last probe again
            FutureTask<Boolean> asker = new FutureTask<>(() -> {
                start.await();
                boolean right = true;
                for (int k = 0; k < 30_000; k++) {
                    right &= DirectoryCheck.passes(inTurn[k % 2]) == expected;
                }
                return right;
            });
            askers.add(asker);
            threadOfSlotZero(asker).start();
        }

        for (FutureTask<Boolean> asker : askers) {
            assertThat(asker.get()).isTrue();
        }
    }

    /** A thread's slot is a matter of the low bits of its id. */
    private static Thread threadOfSlotZero(Runnable task) {
        Thread thread;
        do {
            thread = new Thread(task);
        } while (thread.getId() % 64 != 0);
        return thread;
    }

    /** What is kept of the last check must not keep an application's class loader. */
    @Test
    void passes_foreignPathOfTheDefaultFileSystem_isNotRetained() {
        GcFinalization.awaitClear(new WeakReference<>(loaderOfCheckedPath()));
    }

    /** Returns a class loader of its own, with a class of paths that claim to belong to the default file system. */
    private ClassLoader loaderOfCheckedPath() {
        ClassLoader loader = new ClassLoader(Path.class.getClassLoader()) {};
        Path foreign = (Path) Proxy.newProxyInstance(
                loader, new Class<?>[] {Path.class}, (self, method, arguments) -> method.invoke(temp, arguments));
        assertThat(foreign.getFileSystem()).isSameAs(FileSystems.getDefault());
        assertThat(foreign.getClass().getClassLoader()).isSameAs(loader);

        catchThrowable(() -> DirectoryCheck.passes(foreign)); // whatever the provider makes of such a path
        return loader;
    }

    /** Only of the JDK's own file system is it known that "dir/." exists in a directory alone. */
    @Tag("slow")
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
            WatchedFileSystem.of(dir).counts().clear();
            Dirs.ensure(dir);
            System.out.println(WatchedFileSystem.of(dir).counts());
        }
    }
}
