package io.github.hotpath.examples.fleet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The results of the calls of one client, in a file that is mapped into memory: it is complete even if the JVM is
 * killed. For one thread at a time.
 */
final class GrantLog {
    private static final int HEADER = 64;
    private static final int GRANT = 24;

    // Places in the header, each of 8 bytes.
    private static final int GRANTED = 0;
    private static final int ATTEMPTS = 8;
    private static final int UNKNOWN = 16;
    private static final int LONGEST = 24;
    private static final int REFUSED_LOCALLY = 32;

    private final ByteBuffer file;

    private GrantLog(ByteBuffer file) {
        this.file = file;
    }

    /** Makes a log with room for so many grants. */
    static GrantLog create(Path path, int grants) throws IOException {
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new GrantLog(channel.map(FileChannel.MapMode.READ_WRITE, 0, HEADER + (long) grants * GRANT));
        }
    }

    /** Reads a log, of which more may be written meanwhile. */
    static GrantLog read(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            GrantLog header = new GrantLog(read(channel, HEADER));
            ByteBuffer grants = read(channel, at(header.granted()));
            grants.putLong(GRANTED, header.granted()); // it may have more by now
            return new GrantLog(grants);
        }
    }

    /** Reads how many grants a log has. */
    static long granted(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return new GrantLog(read(channel, HEADER)).granted();
        }
    }

    private static ByteBuffer read(FileChannel channel, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining() && channel.read(buffer, buffer.position()) >= 0) {
            // until there is no more
        }
        return buffer;
    }

    boolean isFull() {
        return HEADER + (granted() + 1) * GRANT > file.capacity();
    }

    /** Adds a call that began and ended at those times, of the wall clock of this machine. */
    void add(Outcome outcome, int key, long begin, long end) {
        if (outcome == Outcome.GRANTED) {
            int at = at(granted());
            file.putLong(at, begin).putLong(at + 8, end).putLong(at + 16, key);
            add(GRANTED, 1);
        }
        if (outcome == Outcome.UNKNOWN) {
            add(UNKNOWN, 1);
        }
        add(ATTEMPTS, 1);
        file.putLong(LONGEST, Math.max(longestNanos(), end - begin));
    }

    /** Sets how many attempts were refused without a call. */
    void setRefusedLocally(long number) {
        file.putLong(REFUSED_LOCALLY, number);
    }

    /** What a call came to. */
    enum Outcome {
        GRANTED,
        REFUSED,
        UNKNOWN
    }

    private void add(int place, long number) {
        file.putLong(place, file.getLong(place) + number);
    }

    private static int at(long grant) {
        return (int) (HEADER + grant * GRANT);
    }

    long granted() {
        return file.getLong(GRANTED);
    }

    long attempts() {
        return file.getLong(ATTEMPTS);
    }

    long unknown() {
        return file.getLong(UNKNOWN);
    }

    long refusedLocally() {
        return file.getLong(REFUSED_LOCALLY);
    }

    long longestNanos() {
        return file.getLong(LONGEST);
    }

    Grant grant(long number) {
        int at = at(number);
        return new Grant((int) file.getLong(at + 16), file.getLong(at), file.getLong(at + 8));
    }

    /** A grant of one permit, by a call that began and ended at those times. */
    record Grant(int key, long begin, long end) {}
}
