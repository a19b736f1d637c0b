package io.github.hotpath.files;

import static io.github.hotpath.files.Failures.assertThrown;
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
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
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
    private WatchedFileSystem fileSystem;

    @BeforeEach
    void watchFileSystem() {
        fileSystem = new WatchedFileSystem(place.root().getFileSystem());
    }

    /** Returns the path of these names on the watched file system. */
    private Path watched(String names) {
        return fileSystem.wrap(place.path(names));
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

        assertThat(fileSystem.counts).hasToString(counts);
        assertThat(fileSystem.failures).hasSize(exceptions);
        assertThat(fileSystem.openDirectories).isZero();
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
            fileSystem.atEach(Call.CREATE_DIRECTORY, watched(names[0]), (call, path) -> {
                Files.createDirectories(path);
                Failures.throwAny(failure);
            });

            assertThat(Dirs.ensure(dir)).isSameAs(dir);

            assertThat(Files.isDirectory(dir)).isTrue();
            assertThat(fileSystem.failures).contains(failure); // it did happen
            fileSystem.failures.clear();
        }
    }

    /**
     * Others fail if a directory (jenkinsci/jenkins#7027) or a link to one (golang/go#80511) is created just before they
     * create it, or take a file for the directory (pathikrit/better-files#195).
     */
    @ParameterizedTest
    @ValueSource(strings = {"directory", "linkToDirectory", "file", "linkToNothing"})
    void ensure_madeByAnotherJustBefore_isTakenOrNamed(String made) throws IOException {
        place.directory("there");
        Path link = made.startsWith("link")
                ? place.link("link", place.path(made.equals("linkToDirectory") ? "there" : "nothing"))
                : place.path("none");
        for (String[] names : new String[][] {{"1", "1/b"}, {"2/b", "2/b"}}) {
            Path dir = watched(names[1]);
            fileSystem.atEach(Call.CREATE_DIRECTORY, watched(names[0]), (call, path) -> {
                Files.createDirectories(path.getParent());
                if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                    switch (made) {
                        case "directory" -> Files.createDirectory(path);
                        case "file" -> Files.createFile(path);
                        default -> Files.createSymbolicLink(path, Files.readSymbolicLink(link));
                    }
                }
            });

            if (made.endsWith("irectory")) {
                assertThat(Dirs.ensure(dir)).isSameAs(dir);
                assertThat(place.path(names[1])).isDirectory();
            } else {
                assertThrown(
                        names[0].equals(names[1]) ? FileAlreadyExistsException.class : NotDirectoryException.class,
                        place.path(names[0]),
                        () -> Dirs.ensure(dir));
            }
        }
        assertThat(place.path("nothing")).doesNotExist();
    }

    /** Before the second check of the directory, or before the look whether it is a link: nothing is in the way then. */
    @ParameterizedTest
    @CsvSource({"CHECK, 2", "CHECK_LINK, 1"})
    void ensure_madeByAnotherDuringTheSearchForAnObstacle_succeeds(Call when, int number) throws IOException {
        place.directory("there");
        place.link("link", "there"); // or aborts, where this user may make none
        AtomicInteger looks = new AtomicInteger();
        fileSystem.foreigner = (call, path) -> {
            if (call == Call.CREATE_DIRECTORY && fileSystem.count(call) == 1) {
                throw new FileAlreadyExistsException("x");
            }
            if (call == when && path.equals(place.path("a")) && looks.incrementAndGet() == number) {
                Files.createSymbolicLink(path, place.path("there"));
            }
        };

        new DirectoryCreation(watched("a"), millis -> {}).run();

        assertThat(place.path("a")).isDirectory().isSymbolicLink(); // that of the other one
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b"})
    void ensure_error_isNeverForgiven(String names) {
        Error error = new StackOverflowError();
        fileSystem.atEach(Call.CREATE_DIRECTORY, watched("a"), (call, path) -> {
            Files.createDirectories(path);
            throw error;
        });

        assertThat(catchThrowable(() -> Dirs.ensure(watched(names)))).isSameAs(error);
    }

    static Stream<Exception> whatPasses() {
        return Stream.of(
                new AccessDeniedException("x"),
                new FileSystemLoopException("x"),
                new DirectoryNotEmptyException("x"),
                new IOException("Failure"),
                new ReadOnlyFileSystemException());
    }

    static Stream<FileSystemException> whatIsSearchedAfter() {
        return Stream.of(
                new NoSuchFileException("x"),
                new FileAlreadyExistsException("x"),
                new NotDirectoryException("x"),
                new FileSystemException("x", null, "Not a directory"));
    }

    /** Below a file, which a search finds, and where nothing is in the way; what was made before the failure remains. */
    @ParameterizedTest
    @MethodSource({"whatPasses", "whatIsSearchedAfter"})
    void ensure_creationFails_passesOrIsTheCauseOfWhatNamesTheObstacle(Exception failure) throws IOException {
        Path file = place.file("file");
        Path belowFile = watched("file/x");
        DirectoryCreation belowNothing = new DirectoryCreation(watched("a/b/c/d"), millis -> {});
        fileSystem.foreigner = (call, path) -> {
            if (call == Call.CREATE_DIRECTORY && (path.startsWith(file) || path.endsWith("c"))) {
                Failures.throwAny(failure);
            }
        };

        assertThat(catchThrowable(belowNothing::run)).isSameAs(failure);
        if (whatPasses().anyMatch(passing -> passing.getClass() == failure.getClass())) {
            assertThat(catchThrowable(() -> Dirs.ensure(belowFile))).isSameAs(failure);
        } else {
            FileSystemException named = assertThrown(NotDirectoryException.class, file, () -> Dirs.ensure(belowFile));
            assertThat(named.getCause()).isSameAs(failure);
        }
        assertThat(place.tree()).containsExactly("a/", "a/b/", "file: content");
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
        fileSystem.foreigner = (call, path) -> {
            if (call == Call.CREATE_DIRECTORY && !Files.exists(path.getParent())
                    || call == Call.CHECK && !Files.exists(path)) {
                Failures.throwAny(failure);
            }
        };

        Dirs.ensure(watched("a/b"));
        Dirs.ensureParent(watched("b/c/d/e"));
        Dirs.withParent(watched("c/d/file"), file -> Files.writeString(WatchedFileSystem.unwrap(file), ""));

        assertThat(place.tree()).containsExactly("a/", "a/b/", "b/", "b/c/", "b/c/d/", "c/", "c/d/", "c/d/file: ");
    }

    /** Whatever fails once, and at whichever call: where the JDK's createDirectories succeeds, {@code ensure} does. */
    @ParameterizedTest
    @MethodSource("whatTellsOfAMissingParent")
    void ensure_anyCallFailsOnce_succeedsIfTheJdkDoes(Exception failure) throws IOException {
        assumeTrue(provider == Provider.JIMFS_UNIX, "the same calls on any provider");
        fileSystem.isLenient = true;
        for (Call call : new Call[] {Call.CREATE_DIRECTORY, Call.ACCESS, Call.CHECK, Call.CHECK_LINK}) {
            for (int at = 1; at <= 5; at++) {
                for (String names : new String[] {"there", "there/a", "there/a/b/c"}) {
                    String top = String.join("-", call.toString(), "" + at, names.replace('/', '-'));
                    place.directory(top + "/jdk/there");
                    Path dir = place.directory(top + "/ours/there").resolveSibling(names);

                    fileSystem.failOnceAt(call, at, failure);
                    if (catchThrowable(() -> Files.createDirectories(watched(top + "/jdk/" + names))) == null) {
                        fileSystem.failOnceAt(call, at, failure);
                        Dirs.ensure(fileSystem.wrap(dir));
                        assertThat(dir).as(top).isDirectory();
                    }
                }
            }
        }
    }

    /** The root's attributes fail, and nobody needs them (Azure/azure-sdk-for-java#46551). */
    @Test
    void ensure_rootCannotBeChecked_makesWhatIsBelow() throws IOException {
        assumeTrue(provider == Provider.JIMFS_UNIX, "nothing is made in the root of this machine");
        Path root = place.root().getRoot();
        fileSystem.foreigner = (call, path) -> {
            if (path.equals(root)) {
                throw new IllegalStateException("x");
            }
            if (call == Call.CREATE_DIRECTORY && fileSystem.count(call) == 1) {
                throw new IOException("Failure");
            }
        };

        Dirs.ensure(fileSystem.wrap(root.resolve("a")));

        assertThat(root.resolve("a")).isDirectory();
    }

    /** {@code createDirectories} asks only whether it exists. */
    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a/b/c"})
    void ensure_attributesOfAnAncestorCannotBeRead_makesWhatIsBelow(String names) throws IOException {
        fileSystem.atEach(Call.CHECK, fileSystem.wrap(place.directory("a")), (call, path) -> {
            throw new IOException("Forbidden");
        });

        Dirs.ensure(watched(names));

        assertThat(place.path(names)).isDirectory();
    }

    /**
     * A server that is too busy to tell of a directory does not tell that it is missing. An exception cannot suppress
     * itself.
     */
    @ParameterizedTest
    @CsvSource({"there, there, false", "a/b/c, a/b, false", "a/b/c, a/b, true"})
    void ensure_checkFails_endsAtOnceAndTellsIt(String names, String unknown, boolean withTheSame) throws IOException {
        place.directory("there");
        IOException failure =
                names.equals("there") ? new FileAlreadyExistsException("there") : new IOException("Failure");
        IOException busy = withTheSame ? failure : new IOException("503 SlowDown");
        fileSystem.foreigner = (call, path) -> {
            if (call == Call.CREATE_DIRECTORY) {
                throw failure;
            }
            if (path.equals(place.path(unknown))) {
                throw busy;
            }
        };
        DirectoryCreation creation = new DirectoryCreation(watched(names), millis -> {
            throw new AssertionError("a pause");
        });

        Throwable thrown = catchThrowable(creation::run);

        assertThat(thrown).isSameAs(failure);
        assertThat(thrown.getSuppressed()).isEqualTo(withTheSame ? new Throwable[0] : new Throwable[] {busy});
        assertThat(fileSystem.count(Call.CREATE_DIRECTORY)).isOne();
    }

    /**
     * On some network file systems a name exists before the directory is visible (Azure/azure-storage-fuse#1293,
     * xrootd/xrootd#192); or another process creates the directory before each attempt, and deletes it again.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 8, 10, 11})
    void ensure_existsBeforeItIsVisible_waitsForItTenTimes(int failures) throws IOException {
        existsAtFirst(failures);
        List<Long> pauses = new ArrayList<>();

        Throwable thrown = catchThrowable(() -> new DirectoryCreation(watched("a"), pauses::add).run());

        assertThat(pauses)
                .isEqualTo(List.of(1L, 2L, 4L, 8L, 16L, 32L).subList(0, Math.max(0, Math.min(failures, 10) - 4)));
        if (failures <= 10) {
            assertThat(thrown).isNull();
            assertThat(place.tree()).containsExactly("a/");
        } else {
            assertThat(thrown).isExactlyInstanceOf(FileAlreadyExistsException.class);
            assertThat(fileSystem.failures).hasSize(11).last().isSameAs(thrown);
        }
    }

    private void existsAtFirst(int attempts) {
        fileSystem.foreigner = (call, path) -> {
            if (call == Call.CREATE_DIRECTORY && fileSystem.count(call) <= attempts) {
                throw new FileAlreadyExistsException(path.toString());
            }
        };
    }

    @Test
    void ensure_interruptedBefore_neverPausesAndStaysInterrupted() {
        existsAtFirst(11);
        Thread.currentThread().interrupt();

        Throwable thrown = catchThrowable(() -> Dirs.ensure(watched("a")));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(fileSystem.failures).hasSize(5).last().isSameAs(thrown);
    }

    /** Another process that deletes the parent before each attempt to create the directory. */
    @Test
    void ensure_parentDeletedAgainAndAgain_throwsTheLastException() {
        DirectoryCreation creation = new DirectoryCreation(watched("a/b"), millis -> {});
        fileSystem.atEach(
                Call.CREATE_DIRECTORY, watched("a/b"), (call, path) -> Files.deleteIfExists(path.getParent()));

        Throwable thrown = catchThrowable(creation::run);

        assertThat(thrown).isExactlyInstanceOf(NoSuchFileException.class);
        // each time once before the parent is made, and once after
        assertThat(fileSystem.failures).hasSize(22).last().isSameAs(thrown);
    }

    static Stream<Throwable> whatARepairThrows() {
        return Stream.of(new IOException("x"), new IllegalStateException("x"), new StackOverflowError());
    }

    /** An exception cannot suppress itself. */
    @ParameterizedTest
    @MethodSource("whatARepairThrows")
    void withParent_repairFails_throwsItWithTheFirstSuppressed(Throwable failure) {
        NoSuchFileException first = new NoSuchFileException("x");
        fileSystem.foreigner = (call, path) -> {
            if (call == Call.CREATE_DIRECTORY) {
                Failures.throwAny(failure);
            }
        };

        assertThat(failureWithParent(failure)).isSameAs(failure).hasNoSuppressedExceptions();
        assertThat(failureWithParent(first)).isSameAs(failure).hasSuppressedException(first);
    }

    /** Returns what is thrown if the operation fails like this, and the parent is missing. */
    private Throwable failureWithParent(Throwable first) {
        return catchThrowable(() -> Dirs.withParent(watched("a/file"), file -> {
            Failures.throwAny(first);
            return file;
        }));
    }

    static Stream<FileSystemException> whatTellsOfADeletion() {
        return Stream.of(
                new NoSuchFileException("x"),
                new FileSystemException("x", null, "Stale file handle"), // NFS's ESTALE
                new AccessDeniedException("x"));
    }

    /** Returns a directory with two files. */
    private Path watchedDirectory() throws IOException {
        place.file("a/file1");
        place.file("a/file2");
        return watched("a");
    }

    /** {@code Files.find} ends the whole listing with an UncheckedIOException. */
    @ParameterizedTest
    @MethodSource("whatTellsOfADeletion")
    void entries_someVanish_leavesThemOut(FileSystemException failure) throws IOException {
        Path dir = watchedDirectory();
        fileSystem.atEach(Call.CHECK_LINK, dir.resolve("file2"), (call, path) -> {
            if (Files.deleteIfExists(path)) {
                throw failure;
            }
        });

        assertThat(Dirs.entries(dir)).extracting(Entry::path).containsExactly(dir.resolve("file1"));
    }

    /** An object store on which a name without a slash at its end is no directory (aws-java-nio-spi-for-s3#75, #435). */
    @Test
    void entries_noAttributesWithoutASlash_thoseThatAStreamLists() throws IOException {
        Path dir = watchedDirectory();
        fileSystem.foreigner = (call, path) -> {
            if (path.equals(place.path("a"))) {
                switch (call) {
                    case CHECK, CHECK_LINK -> throw new NoSuchFileException("x");
                    case ACCESS -> throw new IOException("404");
                    default -> {}
                }
            }
        };

        assertThat(Dirs.entries(dir)).hasSize(2);
    }

    static Stream<Exception> whatEndsAListing() {
        return Stream.of(
                new AccessDeniedException("x"),
                new IOException("x"),
                new SecurityException("x"),
                new FileSystemException("x", null, "Input/output error"),
                new NoSuchFileException("x"));
    }

    /** If the directory has vanished, a list of only some entries would be wrong. */
    @ParameterizedTest
    @MethodSource("whatEndsAListing")
    void entries_anyCallFails_endsWithTheSameInstance(Exception failure) throws IOException {
        Path dir = watchedDirectory();
        for (Call call : List.of(Call.OPEN_DIRECTORY, Call.NEXT_ENTRY, Call.CHECK_LINK)) {
            if (call == Call.CHECK_LINK && failure instanceof NoSuchFileException) {
                continue; // then it is an entry that has vanished
            }
            fileSystem.failOnceAt(call, call == Call.OPEN_DIRECTORY ? 1 : 2, failure);

            assertThat(catchThrowable(() -> Dirs.entries(dir))).as("%s", call).isSameAs(failure);

            assertThat(fileSystem.openDirectories).isZero();
        }
    }

    @Test
    void entries_directoryCannotBeChecked_passesTheFailure() throws IOException {
        IOException failure = new FileSystemException("x", null, "Input/output error");
        Path dir = watched("a");
        fileSystem.atEach(Call.CHECK, dir, (call, path) -> {
            throw failure;
        });

        assertThat(catchThrowable(() -> Dirs.entries(dir))).isSameAs(failure);
    }

    static Stream<Throwable> whatConsumersThrow() {
        return Stream.of(
                new NoSuchFileException("the consumer's"),
                new IOException("the consumer's"),
                new DirectoryIteratorException(new NoSuchFileException("the consumer's")),
                new AssertionError("the consumer's"));
    }

    /** At the first entry, when no other has been read: so a directory of any size can be listed. */
    @ParameterizedTest
    @MethodSource("whatConsumersThrow")
    void forEachEntry_consumerFails_endsWithTheSameInstanceAndClosed(Throwable failure) throws IOException {
        Path dir = watchedDirectory();

        Throwable thrown = catchThrowable(() -> Dirs.forEachEntry(dir, entry -> {
            assertThat(fileSystem.openDirectories).isOne();
            Failures.throwAny(failure);
        }));

        assertThat(thrown).isSameAs(failure).hasNoSuppressedExceptions();
        assertThat(fileSystem.count(Call.CHECK_LINK)).isOne();
        assertThat(fileSystem.openDirectories).isZero();
    }
}
