package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.github.hotpath.files.WatchedFileSystem.Call;
import io.github.hotpath.files.WatchedFileSystem.Foreigner;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@link Dirs#ensure} while another process creates an obstacle, or deletes what it needs, before each call that it
 * makes to the provider: every act at every moment, and every two of them. Others fail if a directory
 * (jenkinsci/jenkins#7027) or a link to one (golang/go#80511) is created just before they do, or take a file for the
 * directory (pathikrit/better-files#195).
 *
 * <p>Permitted results: success if the directory existed at some moment; or else a failure that names an obstacle
 * that existed after the last attempt to create a directory.
 */
class DirsForeignerTest {
    /** More calls than any case needs in which the other process acts at most twice. */
    private static final int TOO_MANY_CALLS = 100;

    @TempDir
    Path temp;

    private enum What {
        NOTHING,
        DIRECTORY,
        FILE,
        LINK_TO_DIRECTORY,
        DANGLING_LINK
    }

    /** A change that the other process makes at a path. */
    private record Act(Path at, What what) {
        void perform(Place place) throws IOException {
            makeRoom(at.getParent());
            wipe(at);
            switch (what) {
                case NOTHING -> {}
                case DIRECTORY -> Files.createDirectory(at);
                case FILE -> Files.writeString(at, "foreign");
                case LINK_TO_DIRECTORY -> Files.createSymbolicLink(at, place.path("elsewhere"));
                case DANGLING_LINK -> Files.createSymbolicLink(at, place.path("nowhere"));
            }
        }

        private static void makeRoom(Path dir) throws IOException {
            if (!Files.isDirectory(dir)) {
                makeRoom(dir.getParent());
                wipe(dir);
                Files.createDirectory(dir);
            }
        }

        private static void wipe(Path path) throws IOException {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
            }
        }
    }

    private static List<Act> acts(Place place, String[] names, What... what) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(what).map(each -> new Act(place.path(name), each)))
                .toList();
    }

    /** One call of {@code ensure}: the other process's acts, and what an observer sees after each. */
    private static final class Story implements Foreigner {
        private final Place place;
        private final Path dir;
        private final Act start;

        /** By the number of the call before which each happens. */
        private final Map<Integer, Act> acts;

        private final List<Object> log = new ArrayList<>();
        private int calls;
        private boolean wasAttempt;
        private boolean seenDirectory;

        /** The levels that existed and were no directory at a moment since the last attempt to create one. */
        private final Set<Path> obstacles = new HashSet<>();

        Story(Place place, Path dir, Act start, Map<Integer, Act> acts) {
            this.place = place;
            this.dir = dir;
            this.start = start;
            this.acts = acts;
        }

        @Override
        public void before(Call call, Path path) throws IOException {
            boolean first = calls == 0;
            if (wasAttempt) {
                look();
            }
            wasAttempt = call == Call.CREATE_DIRECTORY;
            Act act = acts.get(calls++);
            if (act != null) {
                log.add(act);
                act.perform(place);
            }
            if (wasAttempt) {
                obstacles.clear();
            }
            if (first || act != null || wasAttempt) {
                look();
            }
            log.add(Map.entry(call, path));
            check(calls <= TOO_MANY_CALLS, "no end", null);
        }

        /** Descends towards the directory as far as possible. */
        private void look() throws IOException {
            for (int names = place.root().getNameCount() + 1; names <= dir.getNameCount(); names++) {
                Path level = dir.getRoot().resolve(dir.subpath(0, names));
                try {
                    BasicFileAttributes own =
                            Files.readAttributes(level, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                    if (!own.isDirectory() && !(own.isSymbolicLink() && Files.isDirectory(level))) {
                        obstacles.add(level);
                        return;
                    }
                } catch (NoSuchFileException nothing) {
                    return;
                }
            }
            seenDirectory = true;
        }

        /** Returns whether the last act came in time. */
        boolean run() throws IOException {
            Act.wipe(place.root());
            place.directory("elsewhere");
            start.perform(place);
            Path watched = WatchedFileSystem.watch(dir);
            WatchedFileSystem fileSystem = WatchedFileSystem.of(watched);
            fileSystem.setForeigner(this);
            try {
                check(Dirs.ensure(watched) == watched, "another reference", null);
                look();
                check(seenDirectory, "success without a directory", null);
            } catch (FileAlreadyExistsException failed) {
                look();
                check(dir.toString().equals(failed.getFile()), "names another path", failed);
                check(obstacles.contains(dir), "names what is not in the way", failed);
                check(
                        failed.getCause() instanceof IOException || failed.getSuppressed().length > 0,
                        "without a cause",
                        failed);
            } catch (NotDirectoryException failed) {
                look();
                Path named = dir.getFileSystem().getPath(failed.getFile());
                check(!dir.equals(named), "names the directory itself", failed);
                check(obstacles.contains(named), "names what is not in the way", failed);
                check(failed.getCause() instanceof IOException, "without a cause", failed);
            } catch (FileSystemException failed) { // "not a directory" in the provider's words, and no trace of why
                check(failed.getClass() == FileSystemException.class, "not a failure of the contract", failed);
                check(fileSystem.failures().contains(failed), "made up", failed);
            }
            check(!Files.exists(place.path("nowhere")), "made the target of a dangling link", null);
            check(fileSystem.count(Call.OPEN_DIRECTORY) == 0, "opened something", null);
            return acts.keySet().stream().allMatch(call -> call < calls);
        }

        private void check(boolean holds, String complaint, Throwable failed) {
            if (!holds) {
                throw new AssertionError(
                        complaint + ": asked for " + dir + ", at first " + start + ", then " + log, failed);
            }
        }
    }

    /**
     * Runs a story with every act before every call that is later than those of {@code earlier}, and so on for that many
     * times; returns how many stories there were in which all acts came in time.
     */
    private static int disturb(
            Place place, Path dir, Act start, SortedMap<Integer, Act> earlier, List<Act> acts, int times)
            throws IOException {
        int stories = 0;
        for (Act act : acts) {
            boolean inTime = true;
            for (int call = earlier.isEmpty() ? 0 : earlier.lastKey() + 1; inTime; call++) {
                SortedMap<Integer, Act> all = new TreeMap<>(earlier);
                all.put(call, act);
                inTime = new Story(place, dir, start, all).run();
                if (inTime) {
                    stories += times == 1 ? 1 : disturb(place, dir, start, all, acts, times - 1);
                }
            }
        }
        return stories;
    }

    @ParameterizedTest
    @CsvSource({"REAL, a/b, 'a, a/b'", "REAL, a/., 'a'", "JIMFS_UNIX, a/b/c, 'a/b, a/b/c'", "JIMFS_UNIX, a/../b, 'a, b'"
    })
    void ensure_oneActBeforeAnyCall_keepsTheContract(Provider provider, String dir, String names) throws IOException {
        try (Place place = provider.open(temp)) {
            place.link("link", "nowhere"); // or aborts, where this user may make none; each story starts without it
            List<Act> acts = acts(place, names.split(", "), What.values());
            int stories = 0;
            for (Act start : acts(place, names.split(", "), What.NOTHING, What.FILE, What.DANGLING_LINK)) {
                stories += disturb(place, place.path(dir), start, new TreeMap<>(), acts, 1);
            }
            assertThat(stories).isGreaterThan(100);
        }
    }

    @Tag("slow")
    @Test
    void ensure_twoActsBeforeAnyCalls_keepsTheContract() throws IOException {
        try (Place place = Provider.JIMFS_UNIX.open(temp)) {
            String[] names = {"a", "a/b"};
            int stories = 0;
            for (Act start : acts(place, names, What.NOTHING, What.FILE, What.DANGLING_LINK)) {
                List<Act> acts = acts(place, names, What.NOTHING, What.FILE, What.DIRECTORY);
                stories += disturb(place, place.path("a/b"), start, new TreeMap<>(), acts, 2);
            }
            assertThat(stories).isGreaterThan(5_000);
        }
    }
}
