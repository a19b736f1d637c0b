package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.hotpath.files.WatchedFileSystem.Call;
import io.github.hotpath.files.WatchedFileSystem.Deed;
import io.github.hotpath.files.WatchedFileSystem.Foreigner;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Faults of other libraries that no test of a single rule covers. The others are named at the test of the rule: in
 * {@link DirsEnsureTest}, {@link DirsLinksTest}, {@link DirsAttributesTest}, {@link DirsEntriesTest},
 * {@link DirsCallsTest}, {@link DirsParticularsTest}, {@link DirsRaceTest}.
 */
@ParameterizedClass
@EnumSource(
        value = Provider.class,
        names = {"REAL", "JIMFS_UNIX"})
class DirsPeerFaultsTest extends ProviderTest {
    /** Returns a watched path at which another process acts just before it is created. */
    private Path raced(Deed deed) {
        Path dir = WatchedFileSystem.watch(place.path("a"));
        WatchedFileSystem.atEach(Call.CREATE_DIRECTORY, dir, deed);
        return dir;
    }

    /**
     * Jenkins checked, then created, and failed if another process was faster (jenkinsci/jenkins#7027); agrona's IoUtil
     * does.
     */
    @Test
    void ensure_madeByAnotherAfterTheCheck_succeeds() throws IOException {
        Path dir = raced(Files::createDirectory);

        assertThat(Dirs.ensure(dir)).isSameAs(dir);
    }

    /** Go's MkdirAll reports "file exists" if another process has created a link to a directory (golang/go#80511). */
    @Test
    void ensure_linkedByAnotherAfterTheCheck_succeeds() throws IOException {
        place.directory("target");
        Path dir = raced(path -> place.link("a", "target"));

        assertThat(Dirs.ensure(dir)).isSameAs(dir);
    }

    /** JDK 17 and 25 throw FileAlreadyExistsException for a deleted path; so does Python (python/cpython#142916). */
    @Test
    void ensure_madeAndDeletedByAnother_makesIt() throws IOException {
        Path dir = WatchedFileSystem.watch(place.path("a"));
        WatchedFileSystem fileSystem = WatchedFileSystem.of(dir);
        fileSystem.setForeigner(new Foreigner() {
            private boolean isFirst(Call call) {
                return call == Call.CREATE_DIRECTORY && fileSystem.count(call) == 1;
            }

            @Override
            public void before(Call call, Path path) throws IOException {
                if (isFirst(call)) {
                    Files.createDirectory(path);
                }
            }

            @Override
            public void after(Call call, Path path) throws IOException {
                if (isFirst(call)) {
                    Files.delete(path);
                }
            }
        });

        assertThat(Dirs.ensure(dir)).isSameAs(dir);

        assertThat(place.tree()).containsExactly("a/");
    }

    /** pathikrit/better-files swallowed FileAlreadyExistsException, so that a file passed for the directory (#195). */
    @Test
    void ensure_fileMadeByAnotherAfterTheCheck_throwsNamingIt() throws IOException {
        Path dir = raced(path -> Files.writeString(path, "content"));

        assertThrown(FileAlreadyExistsException.class, dir, () -> Dirs.ensure(dir));

        assertThat(place.tree()).containsExactly("a: content");
    }

    /** setuptools cached attempts before they had succeeded and never tried again (pypa/distutils#304). */
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
