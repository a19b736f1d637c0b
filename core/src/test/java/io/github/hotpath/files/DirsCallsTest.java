package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
import static io.github.hotpath.files.WatchedFileSystem.atEach;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.files.Dirs.Entry;
import io.github.hotpath.files.WatchedFileSystem.Call;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which methods of a provider {@link Dirs} calls, how often, and how it treats the results. */
@ParameterizedClass
@EnumSource(
        value = Provider.class,
        names = {"REAL", "JIMFS_UNIX"})
class DirsCallsTest extends ProviderTest {
    /** Returns the path of these names on a watched file system; its parent is the place. */
    private Path watched(String names) {
        return WatchedFileSystem.watch(place.path(names));
    }

    /**
     * S3 providers paid an upload for each createDirectory of an existing directory (nextflow-io/nextflow#2968), and the
     * JDK gets an exception for each level that is missing. On Windows the attributes of entries are returned with
     * their names; elsewhere a listing costs a check of each. The file system follows a link by itself: its real path
     * is not read, since there are links to directories that have none (nodejs/node#8897, docker/for-win#2800).
     */
    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({
        "ensure, a, '{CHECK=1}', 0",
        "ensure, link, '{CHECK=1}', 0",
        "ensure, b, '{CHECK=1, CREATE_DIRECTORY=1}', 0",
        "ensure, link/b/c, '{CHECK=1, ACCESS=1, CREATE_DIRECTORY=3}', 1",
        "ensure, b/c/., '{CHECK=2, ACCESS=2, CREATE_DIRECTORY=3}', 1",
        "ensure, b/c/d/e/f, '{CHECK=1, ACCESS=4, CREATE_DIRECTORY=6}', 1",
        "ensureParent, file, '{CHECK=1}', 0",
        "withParent, b/file, '{}', 0",
        "entries, a, '{CHECK=1, CHECK_LINK=2, OPEN_DIRECTORY=1, NEXT_ENTRY=2}', 0",
        "entries, link, '{CHECK=1, CHECK_LINK=2, OPEN_DIRECTORY=1, NEXT_ENTRY=2}', 0"
    })
    void call_succeeds_makesNoMoreCalls(String call, String names, String counts, int exceptions) throws IOException {
        place.directory("a");
        place.file("a/file1");
        place.file("a/file2");
        if (names.startsWith("link")) { // not everywhere can one be made
            place.link("link", "a");
        }
        Path path = watched(names);

        switch (call) {
            case "ensure" -> Dirs.ensure(path);
            case "ensureParent" -> Dirs.ensureParent(path);
            case "withParent" ->
                assertThat(Dirs.<String>withParent(path, file -> "done")).isEqualTo("done");
            default -> Dirs.entries(path);
        }

        WatchedFileSystem fileSystem = WatchedFileSystem.of(path);
        assertThat(fileSystem.counts()).hasToString(counts);
        assertThat(fileSystem.failures()).hasSize(exceptions);
        assertThat(fileSystem.openDirectories()).isZero();
    }

    static Stream<Exception> whatIsForgiven() {
        return Stream.of(
                new FileAlreadyExistsException("x"),
                new AccessDeniedException("x"),
                new FileSystemException("x", null, "Read-only file system"),
                new IOException("Failure"),
                new ReadOnlyFileSystemException());
    }

    /**
     * Systems that report another error first: a read-only NFS root (pengutronix/rsinit#11), an automounter
     * (jline/jline3#559), SFTP (robtimus/sftp-fs#6), SSHFS on Windows (winfsp/sshfs-win#472).
     */
    @ParameterizedTest
    @MethodSource("whatIsForgiven")
    void ensure_failsButIsThere_succeeds(Exception failure) throws IOException {
        // Each below a name of its own: a directory that one round has created would exist in the next.
        for (String[] names : new String[][] {{"1", "1"}, {"2", "2/x/y"}, {"3/a", "3/a/x/y"}, {"4/a/b", "4/a/b/x/y"}}) {
            Path dir = watched(names[1]);
            WatchedFileSystem fileSystem = WatchedFileSystem.of(dir);
            atEach(Call.CREATE_DIRECTORY, fileSystem.wrap(place.path(names[0])), path -> {
                Files.createDirectories(path);
                Failures.throwAny(failure);
            });

            assertThat(Dirs.ensure(dir)).isSameAs(dir);

            assertThat(Files.isDirectory(dir)).isTrue();
            assertThat(fileSystem.failures()).contains(failure); // it did happen
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b"})
    void ensure_error_isNeverForgiven(String names) {
        Path dir = watched(names);
        Error error = new StackOverflowError();
        atEach(Call.CREATE_DIRECTORY, WatchedFileSystem.of(dir).wrap(place.path("a")), path -> {
            Files.createDirectories(path);
            throw error;
        });

        assertThat(catchThrowable(() -> Dirs.ensure(dir))).isSameAs(error);
    }

    static Stream<Exception> whatPasses() {
        return Stream.of(
                new AccessDeniedException("x"),
                new FileSystemLoopException("x"),
                new DirectoryNotEmptyException("x"),
                new IOException("Failure"),
                new ReadOnlyFileSystemException());
    }

    /** Below a file, which a search for the obstacle would find; and what was made before the failure remains. */
    @ParameterizedTest
    @MethodSource("whatPasses")
    void ensure_failureThatSaysWhy_passes(Exception failure) throws IOException {
        place.file("file");
        for (String names : List.of("file/x", "a/b/c/d")) {
            Path dir = watched(names);
            Path fails = names.equals("file/x") ? dir : dir.getParent();
            atEach(Call.CREATE_DIRECTORY, fails, path -> Failures.throwAny(failure));

            assertThat(catchThrowable(() -> Dirs.ensure(dir))).isSameAs(failure);
        }
        assertThat(place.tree()).containsExactly("a/", "a/b/", "file: content");
    }

    static Stream<FileSystemException> whatIsSearchedAfter() {
        return Stream.of(
                new NoSuchFileException("x"),
                new FileAlreadyExistsException("x"),
                new NotDirectoryException("x"),
                new FileSystemException("x", null, "Not a directory"));
    }

    /** Below a file, which is found, and where nothing is in the way. */
    @ParameterizedTest
    @MethodSource("whatIsSearchedAfter")
    void ensure_failureThatMayHaveACauseAbove_isTheCauseOrThrown(FileSystemException failure) throws IOException {
        place.file("file");
        Path belowFile = watched("file/x");
        Path free = watched("a");
        for (Path dir : List.of(belowFile, free)) {
            WatchedFileSystem.of(dir).setForeigner((call, path) -> {
                if (call == Call.CREATE_DIRECTORY) {
                    throw failure;
                }
            });
        }

        FileSystemException named =
                assertThrown(NotDirectoryException.class, belowFile.getParent(), () -> Dirs.ensure(belowFile));
        assertThat(named.getCause()).isSameAs(failure);
        assertThat(catchThrowable(() -> Dirs.ensure(free))).isSameAs(failure);
    }

    static Stream<Exception> whatTellsOfAMissingParent() {
        return Stream.concat(
                whatIsForgiven(),
                Stream.of(
                        new IOException("x") {},
                        new FileNotFoundException("x"),
                        new NotDirectoryException("x"),
                        new NoSuchFileException("x")));
    }

    /**
     * Providers tell of a missing parent as they please (Azure/azure-sdk-for-java#18018, apache/mina-sshd#332), also when
     * asked for its attributes, and the JDK's createDirectories does not mind.
     */
    @ParameterizedTest
    @MethodSource("whatTellsOfAMissingParent")
    void any_missingParentToldByAnyException_isMade(Exception failure) throws IOException {
        Path root = WatchedFileSystem.watch(place.root());
        WatchedFileSystem.of(root).setForeigner((call, path) -> {
            if (call == Call.CREATE_DIRECTORY && !Files.exists(path.getParent())
                    || call == Call.CHECK && !Files.exists(path)) {
                Failures.throwAny(failure);
            }
        });

        Dirs.ensure(root.resolve("a/b"));
        Dirs.ensureParent(root.resolve("b/c/d/e"));
        Dirs.withParent(root.resolve("c/d/file"), file -> Files.writeString(WatchedFileSystem.unwrap(file), ""));

        assertThat(place.tree()).containsExactly("a/", "a/b/", "b/", "b/c/", "b/c/d/", "c/", "c/d/", "c/d/file: ");
    }

    /** Whatever fails once, and at whichever call: where the JDK's createDirectories succeeds, {@code ensure} does. */
    @ParameterizedTest
    @MethodSource("whatTellsOfAMissingParent")
    void ensure_anyCallFailsOnce_succeedsIfTheJdkDoes(Exception failure) throws IOException {
        assumeTrue(provider == Provider.JIMFS_UNIX, "the same calls on any provider");
        int compared = 0;
        for (Call call : new Call[] {Call.CREATE_DIRECTORY, Call.ACCESS, Call.CHECK, Call.CHECK_LINK}) {
            for (int at = 1; at <= 5; at++) {
                for (String names : new String[] {"there", "there/a", "there/a/b/c"}) {
                    String top = "case" + compared++;
                    Files.createDirectories(place.path(top + "/jdk/there"));
                    Files.createDirectories(place.path(top + "/ours/there"));
                    Path jdk = failingOnce(call, at, failure).resolve(top + "/jdk/" + names);
                    Path ours = failingOnce(call, at, failure).resolve(top + "/ours/" + names);

                    if (catchThrowable(() -> Files.createDirectories(jdk)) == null) {
                        assertThat(catchThrowable(() -> Dirs.ensure(ours)))
                                .as("%s at %s %d", names, call, at)
                                .isNull();
                        assertThat(Files.isDirectory(WatchedFileSystem.unwrap(ours)))
                                .isTrue();
                    }
                }
            }
        }
    }

    private Path failingOnce(Call call, int at, Exception failure) {
        Path root = WatchedFileSystem.watch(place.root());
        WatchedFileSystem.of(root).beLenient();
        WatchedFileSystem.of(root).failAt(call, at, failure);
        return root;
    }

    /** The root's attributes fail, and nobody needs them (Azure/azure-sdk-for-java#46551). */
    @Test
    void ensure_rootCannotBeChecked_makesWhatIsBelow() throws IOException {
        assumeTrue(provider == Provider.JIMFS_UNIX, "nothing is made in the root of this machine");
        Path root = place.root().getRoot();
        Path dir = WatchedFileSystem.watch(root.resolve("a"));
        WatchedFileSystem.of(dir).setForeigner((call, path) -> {
            if (path.equals(root)) {
                throw new IllegalStateException("x");
            }
            if (call == Call.CREATE_DIRECTORY && WatchedFileSystem.of(dir).count(call) == 1) {
                throw new IOException("Failure");
            }
        });

        Dirs.ensure(dir);

        assertThat(Files.isDirectory(root.resolve("a"))).isTrue();
    }

    /** {@code createDirectories} asks only whether it exists. */
    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a/b/c"})
    void ensure_attributesOfAnAncestorCannotBeRead_makesWhatIsBelow(String names) throws IOException {
        place.directory("a");
        Path dir = watched(names);
        WatchedFileSystem.of(dir).setForeigner((call, path) -> {
            if (path.equals(place.path("a")) && (call == Call.CHECK || call == Call.CHECK_LINK)) {
                throw new IOException("Forbidden");
            }
        });

        Dirs.ensure(dir);

        assertThat(Files.isDirectory(place.path(names))).isTrue();
    }

    /** A server that is too busy to tell of a directory does not tell that it is missing. */
    @Test
    void ensure_checkOfExistingDirectoryFails_endsAtOnceAndTellsIt() throws IOException {
        place.directory("a");
        Path dir = watched("a");
        IOException busy = new IOException("503 SlowDown");
        atEach(Call.CHECK, dir, path -> {
            throw busy;
        });

        Throwable thrown = catchThrowable(() -> new DirectoryCreation(dir, this::neverPause).run());

        assertThat(thrown).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(thrown.getSuppressed()).contains(busy);
        assertThat(WatchedFileSystem.of(dir).count(Call.CREATE_DIRECTORY)).isOne();
    }

    /** An exception cannot suppress itself. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ensure_checkOfParentFails_endsAtOnceAndTellsIt(boolean withTheSame) {
        Path dir = watched("a/b/c");
        IOException failure = new IOException("Failure");
        IOException busy = withTheSame ? failure : new IOException("503 SlowDown");
        WatchedFileSystem.of(dir).setForeigner((call, path) -> {
            if (path.equals(place.path("a/b")) && (call == Call.CHECK || call == Call.ACCESS)) {
                throw busy;
            }
            if (call == Call.CREATE_DIRECTORY) {
                throw failure;
            }
        });

        Throwable thrown = catchThrowable(() -> new DirectoryCreation(dir, this::neverPause).run());

        assertThat(thrown).isSameAs(failure);
        assertThat(thrown.getSuppressed()).isEqualTo(withTheSame ? new Throwable[0] : new Throwable[] {busy});
        assertThat(WatchedFileSystem.of(dir).count(Call.CREATE_DIRECTORY)).isOne();
    }

    private void neverPause(long millis) {
        throw new AssertionError("a pause");
    }

    /**
     * On some network file systems a name exists before the directory is visible (Azure/azure-storage-fuse#1293,
     * xrootd/xrootd#192); or another process creates the directory before each attempt, and deletes it again.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 8, 10, 11})
    void ensure_existsBeforeItIsVisible_waitsForItTenTimes(int failures) throws IOException {
        Path dir = watched("a");
        existsAtFirst(dir, failures);
        List<Long> pauses = new ArrayList<>();

        Throwable thrown = catchThrowable(() -> new DirectoryCreation(dir, pauses::add).run());

        assertThat(pauses)
                .isEqualTo(List.of(1L, 2L, 4L, 8L, 16L, 32L).subList(0, Math.max(0, Math.min(failures, 10) - 4)));
        if (failures <= 10) {
            assertThat(thrown).isNull();
            assertThat(place.tree()).containsExactly("a/");
        } else {
            assertThat(thrown).isExactlyInstanceOf(FileAlreadyExistsException.class);
            assertThat(WatchedFileSystem.of(dir).failures()).hasSize(11).last().isSameAs(thrown);
        }
    }

    private static void existsAtFirst(Path dir, int attempts) {
        atEach(Call.CREATE_DIRECTORY, dir, path -> {
            if (WatchedFileSystem.of(dir).count(Call.CREATE_DIRECTORY) <= attempts) {
                throw new FileAlreadyExistsException(path.toString());
            }
        });
    }

    @Test
    void ensure_interruptedBefore_neverPausesAndStaysInterrupted() {
        Path dir = watched("a");
        existsAtFirst(dir, 11);
        Thread.currentThread().interrupt();

        Throwable thrown = catchThrowable(() -> Dirs.ensure(dir));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(WatchedFileSystem.of(dir).failures()).hasSize(5).last().isSameAs(thrown);
    }

    /** Another process that deletes the parent before each attempt to create the directory. */
    @Test
    void ensure_parentDeletedAgainAndAgain_throwsTheLastException() {
        Path dir = watched("a/b");
        atEach(Call.CREATE_DIRECTORY, dir, path -> Files.deleteIfExists(path.getParent()));

        Throwable thrown = catchThrowable(() -> Dirs.ensure(dir));

        assertThat(thrown).isExactlyInstanceOf(NoSuchFileException.class);
        // each time once before the parent is made, and once after
        assertThat(WatchedFileSystem.of(dir).failures()).hasSize(22).last().isSameAs(thrown);
    }

    static Stream<Throwable> whatARepairThrows() {
        return Stream.of(new IOException("x"), new IllegalStateException("x"), new StackOverflowError());
    }

    @ParameterizedTest
    @MethodSource("whatARepairThrows")
    void withParent_repairFails_throwsItWithTheFirstSuppressed(Throwable failure) {
        Path file = watched("a/file");
        NoSuchFileException first = new NoSuchFileException("x");
        atEach(Call.CREATE_DIRECTORY, file.getParent(), path -> Failures.throwAny(failure));

        Throwable thrown = catchThrowable(() -> Dirs.withParent(file, f -> {
            throw first;
        }));

        assertThat(thrown).isSameAs(failure);
        assertThat(thrown.getSuppressed()).containsExactly(first);
    }

    /** An exception cannot suppress itself. */
    @Test
    void withParent_repairFailsWithTheSameInstance_passes() {
        Path file = watched("a/file");
        NoSuchFileException failure = new NoSuchFileException("x");
        atEach(Call.CREATE_DIRECTORY, file.getParent(), path -> {
            throw failure;
        });

        Throwable thrown = catchThrowable(() -> Dirs.withParent(file, f -> {
            throw failure;
        }));

        assertThat(thrown).isSameAs(failure).hasNoSuppressedExceptions();
    }

    /** Returns the names of a directory with the entries file1 and file2, and of a link to it. */
    private List<String> directoryAndLink() throws IOException {
        place.directory("a");
        place.file("a/file1");
        place.file("a/file2");
        place.link("link", "a");
        return List.of("a", "link");
    }

    static Stream<FileSystemException> whatTellsOfADeletion() {
        return Stream.of(
                new NoSuchFileException("x"),
                new FileSystemException("x", null, "Stale file handle"), // NFS's ESTALE
                new AccessDeniedException("x"));
    }

    /** {@code Files.find} ends the whole listing with an UncheckedIOException. */
    @ParameterizedTest
    @MethodSource("whatTellsOfADeletion")
    void entries_someVanish_leavesThemOut(FileSystemException failure) throws IOException {
        for (String name : directoryAndLink()) {
            Path dir = watched(name);
            atEach(Call.CHECK_LINK, dir.resolve("file2"), path -> {
                if (Files.deleteIfExists(path)) {
                    throw failure;
                }
            });

            assertThat(Dirs.entries(dir)).extracting(Entry::path).containsExactly(dir.resolve("file1"));

            place.file("a/file2");
        }
    }

    /** An object store on which a name without a slash at its end is no directory (aws-java-nio-spi-for-s3#75, #435). */
    @Test
    void entries_noAttributesWithoutASlash_thoseThatAStreamLists() throws IOException {
        Path dir = watched(directoryAndLink().get(0));
        WatchedFileSystem.of(dir).setForeigner((call, path) -> {
            if (path.equals(WatchedFileSystem.unwrap(dir))) {
                switch (call) {
                    case CHECK, CHECK_LINK -> throw new NoSuchFileException("x");
                    case ACCESS -> throw new IOException("404");
                    default -> {}
                }
            }
        });

        assertThat(Dirs.entries(dir)).hasSize(2);
    }

    static Stream<Exception> whatEndsAListing() {
        return Stream.of(new AccessDeniedException("x"), new IOException("x"), new SecurityException("x"));
    }

    static Stream<Exception> whatEndsAListingOnceBegun() {
        return Stream.concat(
                whatEndsAListing(),
                Stream.of(new NoSuchFileException("x"), new FileSystemException("x", null, "Stale file handle")));
    }

    /** If the directory has vanished, a list of only some entries would be wrong. */
    @ParameterizedTest
    @MethodSource("whatEndsAListingOnceBegun")
    void entries_anyCallFails_endsWithTheSameInstance(Exception failure) throws IOException {
        for (String name : directoryAndLink()) {
            for (Call call : List.of(Call.OPEN_DIRECTORY, Call.NEXT_ENTRY, Call.CHECK_LINK)) {
                if (call == Call.CHECK_LINK && failure instanceof NoSuchFileException) {
                    continue; // then it is an entry that has vanished
                }
                Path dir = watched(name);
                WatchedFileSystem.of(dir).failAt(call, call == Call.OPEN_DIRECTORY ? 1 : 2, failure);

                assertThat(catchThrowable(() -> Dirs.entries(dir)))
                        .as("%s of %s", call, name)
                        .isSameAs(failure);

                assertThat(WatchedFileSystem.of(dir).openDirectories()).isZero();
            }
        }
    }

    /** A failure with a reason, below a file, where a search for the obstacle would find another reason. */
    @ParameterizedTest
    @MethodSource("whatEndsAListing")
    void entries_directoryCannotBeChecked_throwsTheSameInstance(Exception failure) throws IOException {
        place.file("file");
        Path dir = watched("file/.");
        atEach(Call.CHECK, dir, path -> Failures.throwAny(failure));

        assertThat(catchThrowable(() -> Dirs.entries(dir))).isSameAs(failure);
    }

    /** Below a file it is the cause of what says so. */
    @ParameterizedTest
    @CsvSource({"file/., NotDirectoryException", "file/x, NoSuchFileException", "a,", "a/.,", "missing/x,"})
    void entries_failureWithoutAType_isThrownUnlessBelowAFile(String names, String type) throws IOException {
        place.file("file");
        place.directory("a");
        FileSystemException failure = new FileSystemException("x", null, "Input/output error");
        Path dir = watched(names);
        atEach(Call.CHECK, dir, path -> {
            throw failure;
        });

        Throwable thrown = catchThrowable(() -> Dirs.entries(dir));

        if (type == null) {
            assertThat(thrown).isSameAs(failure);
        } else {
            assertThat(thrown.getClass().getSimpleName()).isEqualTo(type);
            assertThat(thrown).hasMessage(dir.toString()).hasCause(failure);
        }
    }

    static Stream<Throwable> whatConsumersThrow() {
        return Stream.of(
                new NoSuchFileException("the consumer's"),
                new IOException("the consumer's"),
                new DirectoryIteratorException(new NoSuchFileException("the consumer's")),
                new AssertionError("the consumer's"));
    }

    @ParameterizedTest
    @MethodSource("whatConsumersThrow")
    void forEachEntry_consumerFails_endsWithTheSameInstanceAndClosed(Throwable failure) throws IOException {
        for (String name : directoryAndLink()) {
            Path dir = watched(name);
            List<Entry> taken = new ArrayList<>();

            Throwable thrown = catchThrowable(() -> Dirs.forEachEntry(dir, entry -> {
                taken.add(entry);
                assertThat(WatchedFileSystem.of(dir).openDirectories()).isOne();
                Failures.throwAny(failure);
            }));

            assertThat(thrown).isSameAs(failure).hasNoSuppressedExceptions();
            assertThat(taken).hasSize(1);
            assertThat(WatchedFileSystem.of(dir).openDirectories()).isZero();
        }
    }

    /** So a directory of any size can be listed. */
    @Test
    void forEachEntry_manyEntries_oneAtATime() throws IOException {
        Path dir = watched(directoryAndLink().get(0));
        List<Integer> read = new ArrayList<>();

        Dirs.forEachEntry(dir, entry -> read.add(WatchedFileSystem.of(dir).count(Call.CHECK_LINK)));

        assertThat(read).containsExactly(1, 2);
    }
}
