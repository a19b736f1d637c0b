package io.github.hotpath.examples.recipes;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * A queue of messages in a directory, which survives restarts. The reader finds complete messages only, and leaves all
 * other files alone. Thread-safe; any number of processes write, and one reads.
 */
final class Spool {
    /** Microseconds since 1970, and the writer. */
    private static final Pattern NAME = Pattern.compile("[0-9]{19}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Path dir;
    private final InstantSource clock;
    private final String writer = UUID.randomUUID().toString();
    private final AtomicLong last = new AtomicLong();

    Spool(Path dir, InstantSource clock) {
        this.dir = dir;
        this.clock = clock;
    }

    /**
     * Adds a message, after those that this object has added before. When this returns, it is not lost any more, if the
     * directory was on the disk before.
     */
    void put(byte[] content) throws IOException {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
        // Later than the last one, also if the clock has been set back or stands still.
        long number = last.accumulateAndGet(micros, (before, now) -> Math.max(before + 1, now));
        CompleteFile.write(dir.resolve(String.format(Locale.ROOT, "%019d-%s", number, writer)), content);
    }

    /**
     * Passes each message that is there to {@code reader}, the oldest first, and deletes it when {@code reader} has
     * returned. If that throws, the message and all after it stay; so a message can be read again, but is not lost.
     *
     * @return how many were read
     */
    synchronized int read(Reader reader) throws IOException {
        List<Path> waiting = Dirs.entries(Dirs.ensure(dir)).stream()
                .filter(entry -> entry.attributes().isRegularFile())
                .map(Dirs.Entry::path)
                .filter(path -> NAME.matcher(path.getFileName().toString()).matches())
                .sorted()
                .toList();
        for (Path message : waiting) {
            reader.accept(Files.readAllBytes(message));
            Files.delete(message);
        }
        return waiting.size();
    }

    /** Processes a message. */
    interface Reader {
        void accept(byte[] message) throws IOException;
    }
}
