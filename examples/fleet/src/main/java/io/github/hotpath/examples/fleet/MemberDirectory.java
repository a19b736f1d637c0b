package io.github.hotpath.examples.fleet;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import java.util.UUID;
import org.apache.ratis.protocol.RaftPeer;

/**
 * The directory of a member with data, and what its file {@code fleet.properties} says: whose it is, and how far its
 * first start has come. For one thread at a time.
 */
final class MemberDirectory {
    /*
     * A member with an empty log that takes part in elections can forget grants that it has confirmed. So an empty
     * directory never becomes that of a member by itself: either all members are created together, or a majority
     * agrees that the member left, before it comes back as a new one. Each step is on disk before the next one begins.
     */

    /** How far the first start has come. */
    enum Step {
        /** Created; no member is part of the group. */
        CREATED,
        /** All members were created: the first one tells them the group, some may know it. */
        FORMING,
        /** Begins in the place of a member whose directory is lost, which may still count as a member. */
        REPLACING,
        /** The lost member has left the group. */
        REPLACED,
        /** Part of the group, which may have grants since then. */
        MEMBER
    }

    private static final String FILE = "fleet.properties";
    private static final String STEP = "step";
    private static final String REPLACEMENT = "replacement";

    private final Path dir;
    private final Properties content;

    private MemberDirectory(Path dir, Properties content) {
        this.dir = dir;
        this.content = content;
    }

    /**
     * Opens the directory of that member. An empty one is taken only for {@code first}, CREATED or REPLACING; for MEMBER
     * it has to be there.
     *
     * @throws IOException if it is empty, or of another member, or is not complete
     */
    static MemberDirectory open(Path dir, FleetMembers members, int own, Step first) throws IOException {
        Properties expected = new Properties();
        expected.setProperty("fleet", members.name());
        expected.setProperty("member", members.dataMembers().get(own));
        expected.setProperty("members", members.dataMembers().toString());
        Path file = dir.resolve(FILE);
        if (Files.exists(file)) {
            MemberDirectory directory = new MemberDirectory(dir, read(file));
            directory.check(expected, members);
            if (first == Step.REPLACING && directory.step() == Step.CREATED && !directory.hasLog(members)) {
                directory.reach(first); // created in vain; it has never voted
            }
            return directory;
        }
        boolean isEmpty = !Files.exists(dir)
                || Dirs.entries(dir).stream().allMatch(entry -> entry.path().endsWith("lost+found")); // of a volume
        if (!isEmpty) {
            throw new IOException("dir: " + dir + " has other files (expected: the directory of a member, or empty)");
        }
        if (first == Step.MEMBER) {
            throw new IOException("dir: " + dir + " is empty (expected: the directory of " + expected.get("member")
                    + "; if this is its first start, create it; if its directory is lost, replace it)");
        }
        Dirs.ensure(dir);
        MemberDirectory directory = new MemberDirectory(dir, expected);
        directory.reach(first);
        return directory;
    }

    private void check(Properties expected, FleetMembers members) throws IOException {
        for (String name : expected.stringPropertyNames()) {
            if (!expected.getProperty(name).equals(content.getProperty(name))) {
                throw new IOException("dir: " + dir + " has " + name + " " + content.getProperty(name) + " (expected: "
                        + expected.getProperty(name) + ")");
            }
        }
        if (step() == Step.MEMBER && !Files.exists(dir.resolve(members.group().getUuid() + "/current/raft-meta"))) {
            throw new IOException(
                    "dir: " + dir + " has no log (expected: that of this member; if it is lost, replace the "
                            + "member, with an empty directory)");
        }
    }

    private static Properties read(Path file) throws IOException {
        Properties content = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            content.load(in);
        }
        return content;
    }

    Path path() {
        return dir;
    }

    Step step() {
        return Step.valueOf(content.getProperty(STEP));
    }

    /** Returns the member as the others know it. One that replaces another one has an id that nobody had before. */
    RaftPeer peer(RaftPeer first) {
        String replacement = content.getProperty(REPLACEMENT);
        return replacement == null
                ? first
                : RaftPeer.newBuilder(first)
                        .setId(first.getId() + "_" + replacement)
                        .build();
    }

    /** Returns whether the member has a log here. */
    boolean hasLog(FleetMembers members) {
        return Files.exists(dir.resolve(members.group().getUuid().toString()));
    }

    /** Goes on to that step, on disk. */
    void reach(Step step) throws IOException {
        content.setProperty(STEP, step.name());
        if (step == Step.REPLACING) {
            content.setProperty(REPLACEMENT, UUID.randomUUID().toString());
        }
        Path next = dir.resolve(FILE + ".tmp");
        try (OutputStream out = Files.newOutputStream(next)) {
            content.store(out, null);
        }
        force(next);
        Files.move(next, dir.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(dir);
    }

    /** Forces a file, or the names in a directory, to the disk. */
    static void force(Path path) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ);
        } catch (AccessDeniedException e) {
            return; // Windows opens no directory
        }
        try (channel) {
            channel.force(true);
        }
    }
}
