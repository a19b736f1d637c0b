package io.github.hotpath.files;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.hotpath.files.WatchedFileSystem.Call;
import io.github.hotpath.files.WatchedFileSystem.Foreigner;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@link Dirs} while another process creates an obstacle, or deletes what it needs, before each call that it
 * makes to the provider: every act at every moment, and every two of them. (The moment after a call is the moment
 * before the next.) Others fail if a directory (jenkinsci/jenkins#7027) or a link to one (golang/go#80511) is created
 * just before they do, or take a file for the directory (pathikrit/better-files#195).
 *
 * <p>Permitted results: success if the directory existed at some moment; or else a failure that names an obstacle
 * that existed after the last attempt to create a directory.
 */
class DirsForeignerTest {
    /** More calls than any case needs in which the other process acts at most twice. */
    private static final int TOO_MANY_CALLS = 100;

    @TempDir(factory = InMemory.class)
    Path temp;

    private enum What {
        NOTHING,
        DIRECTORY,
        FILE,
        LINK_TO_DIRECTORY,
        DANGLING_LINK
    }

    /** A change that the other process makes at one of the names. */
    private record Act(Path at, What what) {
        void perform(World world) throws IOException {
            makeRoom(at.getParent());
            wipe(at);
            switch (what) {
                case NOTHING -> {}
                case DIRECTORY -> Files.createDirectory(at);
                case FILE -> Files.writeString(at, "foreign");
                case LINK_TO_DIRECTORY -> Files.createSymbolicLink(at, world.elsewhere);
                case DANGLING_LINK -> Files.createSymbolicLink(at, world.nowhere);
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
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                    for (Path entry : entries) {
                        wipe(entry);
                    }
                }
            }
            Files.deleteIfExists(path);
        }
    }

    /** The directory to be ensured, and the names that the other process changes. */
    private static final class World {
        final Path root;
        final Path elsewhere;
        final Path nowhere;
        final Path dir;
        /** The directory and what is above it, from the top. */
        final Deque<Path> levels = new ArrayDeque<>();

        final List<Act> acts = new ArrayList<>();

        World(Place place, String dir, String... names) {
            this.root = place.root();
            this.elsewhere = place.path("elsewhere");
            this.nowhere = place.path("nowhere");
            this.dir = place.path(dir);
            for (Path level = this.dir; !level.equals(root); level = level.getParent()) {
                levels.addFirst(level);
            }
            for (String name : names) {
                for (What what : What.values()) {
                    Act act = new Act(place.path(name), what);
                    if (what != What.LINK_TO_DIRECTORY || !act.at.equals(elsewhere)) {
                        acts.add(act);
                    }
                }
            }
        }

        List<Act> thatBring(What... what) {
            return acts.stream().filter(act -> List.of(what).contains(act.what)).toList();
        }

        void start(Act first) throws IOException {
            Act.wipe(root);
            Files.createDirectories(elsewhere);
            first.perform(this);
        }
    }

    /** What happens during one call of {@link Dirs}: the other process's acts, and what an observer sees after each. */
    private static final class Story implements Foreigner {
        private final World world;
        private final Act start;

        /** By the number of the call before which each happens. */
        private final Map<Integer, Act> acts;

        private final List<Object> log = new ArrayList<>();
        private int calls;
        private boolean seenDirectory;
        private boolean seenNothing;

        /** The levels that existed and were no directory at a moment since the last attempt to create one. */
        private final Set<Path> obstacles = new HashSet<>();

        Story(World world, Act start, Map<Integer, Act> acts) {
            this.world = world;
            this.start = start;
            this.acts = acts;
        }

        @Override
        public void before(Call call, Path path) throws IOException {
            Act act = acts.get(calls++);
            if (act != null) {
                log.add(act);
                act.perform(world);
            }
            if (call == Call.CREATE_DIRECTORY) {
                obstacles.clear();
            }
            if (act != null || call == Call.CREATE_DIRECTORY || calls == 1) {
                look();
            }
            log.add(Map.entry(call, path));
            if (calls > TOO_MANY_CALLS) {
                throw new AssertionError("no end: " + this);
            }
        }

        @Override
        public void after(Call call, Path path) throws IOException {
            if (call == Call.CREATE_DIRECTORY) {
                look();
            }
        }

        /** Descends towards the directory as far as possible. */
        private void look() throws IOException {
            for (Path path : world.levels) {
                BasicFileAttributes own;
                try {
                    own = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                } catch (NoSuchFileException nothing) {
                    seenNothing = true;
                    return;
                }
                if (!own.isDirectory() && !(own.isSymbolicLink() && Files.isDirectory(path))) {
                    obstacles.add(path);
                    seenNothing |= own.isSymbolicLink();
                    return;
                }
            }
            seenDirectory = true;
        }

        /** Whether the last act came in time. */
        boolean complete() {
            return acts.keySet().stream().allMatch(call -> call < calls);
        }

        Story ensure() throws IOException {
            world.start(start);
            Path dir = WatchedFileSystem.watch(world.dir);
            WatchedFileSystem.of(dir).setForeigner(this);
            try {
                check(Dirs.ensure(dir) == dir, "another reference");
                check(seenDirectory, "success without a directory");
            } catch (FileAlreadyExistsException failed) {
                check(world.dir.equals(named(failed)), "names another path", failed);
                check(obstacles.contains(world.dir), "names what is not in the way", failed);
                check(
                        failed.getCause() instanceof IOException || failed.getSuppressed().length > 0,
                        "without a cause",
                        failed);
            } catch (NotDirectoryException failed) {
                check(!world.dir.equals(named(failed)), "names the directory itself", failed);
                check(obstacles.contains(named(failed)), "names what is not in the way", failed);
                check(failed.getCause() instanceof IOException, "without a cause", failed);
            } catch (FileSystemException failed) { // "not a directory" in the provider's words, and no trace of why
                check(failed.getClass() == FileSystemException.class, "not a failure of the contract", failed);
                check(WatchedFileSystem.of(dir).failures(Call.CREATE_DIRECTORY).contains(failed), "made up", failed);
            }
            check(!Files.exists(world.nowhere), "made the target of a dangling link");
            check( // and so no file's content
                    Set.of(Call.CHECK, Call.CHECK_LINK, Call.ACCESS, Call.CREATE_DIRECTORY)
                            .containsAll(WatchedFileSystem.of(dir).counts().keySet()),
                    "touches something");
            return this;
        }

        /** Lists a directory of two entries, to which the other process's links point as well. */
        Story list() throws IOException {
            world.start(start);
            fill(world.elsewhere);
            fill(world.dir);
            Path dir = WatchedFileSystem.watch(world.dir);
            WatchedFileSystem.of(dir).setForeigner(this);
            Path entry1 = dir.resolve("entry1");
            Path entry2 = dir.resolve("entry2");
            try {
                List<Path> entries =
                        Dirs.entries(dir).stream().map(Dirs.Entry::path).toList();
                check(List.of(entry1, entry2).containsAll(entries), "lists " + entries);
                check(seenDirectory, "success without a directory");
                check(!acts.isEmpty() || entries.size() == 2, "entries missing");
            } catch (NoSuchFileException failed) {
                check(seenNothing, "there was something", failed);
            } catch (NotDirectoryException failed) {
                check(obstacles.contains(world.dir), "there was nothing or a directory", failed);
            }
            check(WatchedFileSystem.of(dir).openDirectories() == 0, "a directory left open");
            return this;
        }

        private Path named(FileSystemException failed) {
            return world.root.getFileSystem().getPath(failed.getFile());
        }

        private static void fill(Path dir) throws IOException {
            if (Files.isDirectory(dir)) {
                Files.writeString(dir.resolve("entry1"), "");
                Files.writeString(dir.resolve("entry2"), "");
            }
        }

        private void check(boolean holds, String complaint) {
            check(holds, complaint, null);
        }

        private void check(boolean holds, String complaint, @Nullable Throwable failed) {
            if (!holds) {
                fail(complaint + ": " + this, failed);
            }
        }

        @Override
        public String toString() {
            return "asked for " + world.dir + ", at first " + start
                    + log.stream().map(event -> "\n    " + event).collect(joining());
        }
    }

    private interface Plot {
        Story run(Story story) throws IOException;
    }

    /** Runs the plot from these starts, undisturbed, and disturbed by up to so many acts; returns how often. */
    private static int disturb(World world, List<Act> starts, List<Act> acts, int times, Plot plot) throws IOException {
        int stories = 0;
        for (Act start : starts) {
            plot.run(new Story(world, start, Map.of()));
            stories += disturb(world, start, new TreeMap<>(), acts, times, plot);
        }
        return stories;
    }

    /** The same with every act before every call that is later than those of {@code earlier}. */
    private static int disturb(
            World world, Act start, SortedMap<Integer, Act> earlier, List<Act> acts, int times, Plot plot)
            throws IOException {
        int stories = 0;
        for (Act act : acts) {
            boolean inTime = true;
            for (int call = earlier.isEmpty() ? 0 : earlier.lastKey() + 1; inTime; call++) {
                SortedMap<Integer, Act> all = new TreeMap<>(earlier);
                all.put(call, act);
                inTime = plot.run(new Story(world, start, all)).complete();
                if (inTime) {
                    stories += times == 1 ? 1 : disturb(world, start, all, acts, times - 1, plot);
                }
            }
        }
        return stories;
    }

    @ParameterizedTest
    @CsvSource({
        "REAL, a/b, 'a, a/b'",
        "REAL, a/., 'a'",
        "JIMFS_UNIX, a/b/c, 'a, a/b, a/b/c'",
        "JIMFS_UNIX, a/../b, 'a, b'"
    })
    void ensure_oneActBeforeAnyCall_keepsTheContract(Provider provider, String dir, String names) throws IOException {
        try (Place place = provider.open(temp)) {
            place.link("link", "nowhere"); // or aborts, where this user may make none; each story starts without it
            World world = new World(place, dir, names.split(", "));

            assertThat(disturb(world, world.acts, world.acts, 1, Story::ensure)).isGreaterThan(100);
        }
    }

    @Tag("slow")
    @Test
    void ensure_twoActsBeforeAnyCalls_keepsTheContract() throws IOException {
        try (Place place = Provider.JIMFS_UNIX.open(temp)) {
            World world = new World(place, "a/b", "a", "a/b");
            List<Act> starts = world.thatBring(What.NOTHING, What.FILE, What.DANGLING_LINK);
            List<Act> acts = world.thatBring(What.NOTHING, What.FILE, What.DIRECTORY);

            assertThat(disturb(world, starts, acts, 2, Story::ensure)).isGreaterThan(5_000);
        }
    }

    @Test
    void entries_oneActBeforeAnyCall_keepsTheContract() throws IOException {
        try (Place place = Provider.JIMFS_UNIX.open(temp)) {
            World world = new World(place, "a", "a", "elsewhere");

            assertThat(disturb(world, world.acts, world.acts, 1, Story::list)).isGreaterThan(100);
        }
    }
}
