package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.support.Grants;
import io.github.hotpath.examples.support.Grants.Grant;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The results of the calls of one client, in a file that is mapped into memory: it is complete even if the JVM is
 * killed. The times are those of {@link System#nanoTime}, which all processes of a Linux machine share. For one thread
 * at a time.
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

    /** What a call came to. */
    enum Outcome {
        GRANTED,
        REFUSED,
        UNKNOWN
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
            ByteBuffer grants = read(channel, at(header.file.getLong(GRANTED)));
            grants.putLong(GRANTED, header.file.getLong(GRANTED)); // it may have more by now
            return new GrantLog(grants);
        }
    }

    /** Reads how many grants a log has. */
    static long granted(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return read(channel, HEADER).getLong(GRANTED);
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
        return HEADER + (file.getLong(GRANTED) + 1) * GRANT > file.capacity();
    }

    /** Adds a call that began and ended at those times. */
    void add(Outcome outcome, int key, long begin, long end) {
        if (outcome == Outcome.GRANTED) {
            int at = at(file.getLong(GRANTED));
            file.putLong(at, begin).putLong(at + 8, end).putLong(at + 16, key);
            add(GRANTED, 1);
        }
        if (outcome == Outcome.UNKNOWN) {
            add(UNKNOWN, 1);
        }
        add(ATTEMPTS, 1);
        file.putLong(LONGEST, Math.max(file.getLong(LONGEST), end - begin));
    }

    /** Sets how many attempts were refused without a call. */
    void setRefusedLocally(long number) {
        file.putLong(REFUSED_LOCALLY, number);
    }

    private void add(int place, long number) {
        file.putLong(place, file.getLong(place) + number);
    }

    private static int at(long grant) {
        return (int) (HEADER + grant * GRANT);
    }

    private Grant grant(long number) {
        int at = at(number);
        return new Grant((int) file.getLong(at + 16), file.getLong(at), file.getLong(at + 8), 1);
    }

    /** The sums of the logs of all clients. */
    static final class Report {
        private final List<Grant> grants = new ArrayList<>();
        private long attempts;
        private long refusedLocally;
        private long unknown;
        private long longestNanos;

        void add(GrantLog log) {
            attempts += log.file.getLong(ATTEMPTS);
            refusedLocally += log.file.getLong(REFUSED_LOCALLY);
            unknown += log.file.getLong(UNKNOWN);
            longestNanos = Math.max(longestNanos, log.file.getLong(LONGEST));
            LongStream.range(0, log.file.getLong(GRANTED)).mapToObj(log::grant).forEach(grants::add);
        }

        Grants grants() {
            return new Grants(grants);
        }

        long granted() {
            return grants.size();
        }

        long attempts() {
            return attempts;
        }

        long refusedLocally() {
            return refusedLocally;
        }

        long unknown() {
            return unknown;
        }

        long longestNanos() {
            return longestNanos;
        }
    }
}
