package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.hotpath.files.WatchedFileSystem.Call;
import io.github.hotpath.files.WatchedFileSystem.Foreigner;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Faults of others that no single cell of the contract shows. Where a cell shows one, the fault is named there: in
 * {@link DirsEnsureTest}, {@link DirsLinksTest}, {@link DirsAttributesTest}, {@link DirsEntriesTest}, {@link DirsCallsTest},
 * {@link DirsParticularsTest}, {@link DirsRaceTest}.
 */
@ParameterizedClass
@EnumSource(
        value = Provider.class,
        names = {"REAL", "JIMFS_UNIX"})
class DirsPeersTest extends ProviderTest {
    private interface Deed {
        void perform(Path path) throws IOException;
    }

    /** Returns a watched path; somebody does one thing just before, and another just after the first attempt to make it. */
    private Path raced(String names, Deed before, Deed after) {
        Path inside = place.path(names);
        Path dir = WatchedFileSystem.watch(inside);
        WatchedFileSystem fileSystem = WatchedFileSystem.of(dir);
        fileSystem.setForeigner(new Foreigner() {
            private boolean first(Call call, Path path) {
                return call == Call.CREATE_DIRECTORY
                        && path.equals(inside)
                        && fileSystem.count(Call.CREATE_DIRECTORY) == 1;
            }

            @Override
            public void before(Call call, Path path) throws IOException {
                if (first(call, path)) {
                    before.perform(path);
                }
            }

            @Override
            public void after(Call call, Path path) throws IOException {
                if (first(call, path)) {
                    after.perform(path);
                }
            }
        });
        return dir;
    }

    /** Jenkins looked, then made, and failed if somebody was faster (jenkinsci/jenkins#7027), as agrona's IoUtil does. */
    @Test
    void ensure_madeByAnotherAfterTheCheck_succeeds() throws IOException {
        Path dir = raced("a", Files::createDirectory, path -> {});

        assertThat(Dirs.ensure(dir)).isSameAs(dir);
    }

    /** Go's MkdirAll says "file exists" if what another has made is a link to a directory (golang/go#80511). */
    @Test
    void ensure_linkedByAnotherAfterTheCheck_succeeds() throws IOException {
        place.directory("target");
        Path dir = raced("a", path -> place.link("a", "target"), path -> {});

        assertThat(Dirs.ensure(dir)).isSameAs(dir);
    }

    /** JDK 17 and 25 throw FileAlreadyExistsException for what is gone by then; Python, too (python/cpython#142916). */
    @Test
    void ensure_madeAndDeletedByAnother_makesIt() throws IOException {
        Path dir = raced("a", Files::createDirectory, Files::delete);

        assertThat(Dirs.ensure(dir)).isSameAs(dir);

        assertThat(place.tree()).containsExactly("a/");
    }

    /** pathikrit/better-files swallowed FileAlreadyExistsException, so that a file passed for the directory (#195). */
    @Test
    void ensure_fileMadeByAnotherAfterTheCheck_throwsNamingIt() throws IOException {
        Path dir = raced("a", path -> Files.writeString(path, "content"), path -> {});

        assertThrown(FileAlreadyExistsException.class, dir, () -> Dirs.ensure(dir));

        assertThat(place.tree()).containsExactly("a: content");
    }

    /** setuptools remembered attempts before they had succeeded and never tried again (pypa/distutils#304). */
    @Test
    void ensure_failedBefore_madeAsSoonAsItCan() throws IOException {
        Path file = place.file("a");
        Path dir = file.resolve("b");
        assertThat(catchThrowable(() -> Dirs.ensure(dir))).isInstanceOf(IOException.class);
        Files.delete(file);

        Dirs.ensure(dir);

        assertThat(place.tree()).containsExactly("a/", "a/b/");
    }
}
