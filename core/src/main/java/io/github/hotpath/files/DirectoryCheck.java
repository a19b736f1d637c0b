package io.github.hotpath.files;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The check for an existing directory: one system call and no exception. */
final class DirectoryCheck {
    /*
     * On Linux Files.isDirectory costs 1.2 to 1.4 times as much as Files.exists, because it reads attributes that are
     * not used. To check whether "dir/." exists, the kernel looks up "." in dir, which answers the same question at the
     * cost of exists. So that is the first probe, where it is known to hold: on the JDK's own Unix file system.
     *
     * If it returns true, dir is a directory. False is inconclusive: the lookup also fails in a directory without
     * search permission, and for a path within two bytes of the longest. Then Files.isDirectory decides.
     *
     * Creating the path "dir/." costs another tenth, and more in a cold JVM. So the last probe is retained, because a
     * hot path checks one directory repeatedly. A probe contains no state of the file system and cannot become stale.
     * Each of several threads has a slot of its own, a cache line apart: threads with different directories would
     * contend for a single slot.
     *
     * Paths are distinguished by their class. The JDK has one file system of that class, so no path of another one is
     * probed for "."; and since the probes are in a static field, none may keep a path whose class has a class loader
     * of its own, not even one that claims to belong to the default file system.
     */

    private static final FileSystem DEFAULT = FileSystems.getDefault();

    /** Whether the default file system is the JDK's own, not a replacement, and that of a Unix. */
    private static final boolean IS_UNIX = DEFAULT.provider().getClass().getModule() == Object.class.getModule()
            && DEFAULT.getSeparator().equals("/");

    private static final Path DOT = DEFAULT.getPath(".");

    /** The number of slots, a power of two; threads share them by their ids. */
    private static final int SLOTS = 64;

    /** The distance of two slots: 64 bytes, of 4 each. */
    private static final int STRIDE = 16;

    /** The last probe of the threads of each slot. Races are harmless: a probe is immutable, and correct by itself. */
    private static final @Nullable Probe[] LAST = new Probe[SLOTS * STRIDE];

    private DirectoryCheck() {}

    /** Returns whether {@code dir} is a directory, following symbolic links. */
    static boolean passes(Path dir) {
        return (IS_UNIX && dir.getClass() == DOT.getClass() && Files.exists(probe(dir).dot)) || Files.isDirectory(dir);
    }

    @SuppressWarnings("ReferenceEquality") // comparing paths would cost more than it saves
    private static Probe probe(Path dir) {
        int slot = ((int) Thread.currentThread().getId() & SLOTS - 1) * STRIDE;
        Probe probe = LAST[slot];
        if (probe == null || probe.dir != dir) {
            probe = new Probe(dir);
            LAST[slot] = probe;
        }
        return probe;
    }

    /** A directory, and the path that exists only if it is one. */
    private static final class Probe {
        final Path dir;
        final Path dot;

        Probe(Path dir) {
            this.dir = dir;
            this.dot = dir.resolve(DOT);
        }
    }
}
