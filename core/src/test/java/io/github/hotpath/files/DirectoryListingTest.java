package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import io.github.hotpath.files.WatchedFileSystem.Call;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link DirectoryListing} does only on some systems. */
class DirectoryListingTest {
    private final FileSystemException handleIsStale = new FileSystemException("x", null, "Stale file handle");

    @TempDir
    Path temp;

    private Place place;

    @BeforeEach
    void openPlace() throws IOException {
        place = Provider.REAL.open(temp);
    }

    /** Returns a stream of an open directory, in which reading attributes fails: like this, and each later time last. */
    @SuppressWarnings("unchecked") // a proxy of any kind of stream
    private static DirectoryStream<Path> openDirectory(IOException... failures) {
        AtomicInteger reads = new AtomicInteger();
        Object view = proxy(BasicFileAttributeView.class, () -> {
            throw failures[Math.min(reads.getAndIncrement(), failures.length - 1)];
        });
        return (DirectoryStream<Path>) proxy(SecureDirectoryStream.class, () -> view);
    }

    private interface Answer {
        Object get() throws IOException;
    }

    private static Object proxy(Class<?> type, Answer answer) {
        return Proxy.newProxyInstance(
                DirectoryListingTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer.get());
    }

    @Test
    void attributes_staleInOpenDirectory_isDeleted() throws IOException {
        Path namesake = place.file("file"); // after a rename, another directory has an entry of that name

        assertThat(DirectoryListing.attributes(openDirectory(handleIsStale, new NoSuchFileException("file")), namesake))
                .isNull();
    }

    /** As if deleted, if the attributes were read by the path. */
    @Test
    void attributes_deniedInRenamedDirectory_throwsTheSameInstance() {
        AccessDeniedException denied = new AccessDeniedException("file");
        Path renamed = place.path("file");

        assertThat(catchThrowable(() -> DirectoryListing.attributes(openDirectory(denied), renamed)))
                .isSameAs(denied);
    }

    /** A tree walk lists directories on Windows alone; elsewhere it gives the same entries. */
    @Test
    void walk_directory_isListedAsByAStream() throws IOException {
        place.directory("a/sub/deeper");
        Path file = place.file("a/file");
        Path vanishing = place.file("a/vanishing");
        Path stale = place.file("a/stale");
        Path dir = WatchedFileSystem.watch(place.path("a"));
        WatchedFileSystem.of(dir).foreigner = (call, path) -> {
            if (call == Call.CHECK_LINK && path.equals(vanishing)) {
                Files.deleteIfExists(path);
            } else if (call == Call.CHECK_LINK && path.equals(stale) && Files.deleteIfExists(path)) {
                throw handleIsStale;
            }
        };
        List<String> names = new ArrayList<>();

        DirectoryListing.walk(
                dir, entry -> names.add(entry.path() + " " + entry.attributes().isDirectory()));

        assertThat(names).containsExactlyInAnyOrder(place.path("a/sub") + " true", file + " false");
    }

    @Test
    void walk_entryCannotBeReadOrConsumerFails_throwsTheSameInstance() throws IOException {
        Path dir = WatchedFileSystem.watch(place.file("file").getParent());
        WatchedFileSystem.of(dir).atEach(Call.CHECK_LINK, dir.resolve("file"), (call, path) -> {
            throw handleIsStale;
        });
        NoSuchFileException failure = new NoSuchFileException("the consumer's");

        assertThat(catchThrowable(() -> DirectoryListing.walk(dir, entry -> fail("an entry"))))
                .isSameAs(handleIsStale);
        assertThat(catchThrowable(() -> DirectoryListing.walk(place.root(), entry -> {
                    throw failure;
                })))
                .isSameAs(failure);
    }

    @Test
    void walk_noLongerADirectory_throws() throws IOException {
        Path file = place.file("file");
        Path missing = place.path("missing");

        assertThrown(NotDirectoryException.class, file, () -> DirectoryListing.walk(file, entry -> fail("an entry")));
        assertThrown(
                NoSuchFileException.class, missing, () -> DirectoryListing.walk(missing, entry -> fail("an entry")));
    }
}
