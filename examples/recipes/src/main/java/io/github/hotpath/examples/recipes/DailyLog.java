package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * Lines in a file for each day: {@code logs/2026/11/24/app.log}. Thread-safe. Its directories may be deleted at any
 * time: the next line makes them again.
 */
final class DailyLog {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuu/MM/dd");

    private final Path root;
    private final String name;
    private final InstantSource clock;
    private final ZoneId zone;

    /** Takes the zone whose midnight begins a new file. */
    DailyLog(Path root, String name, InstantSource clock, ZoneId zone) {
        this.root = root;
        this.name = name;
        this.clock = clock;
        this.zone = zone;
    }

    /**
     * Appends a line. The file is opened each time: if it stayed open while it is deleted, lines would go to a file that
     * has no name any more.
     */
    synchronized void append(String line) throws IOException {
        Path file = file(LocalDate.ofInstant(clock.instant(), zone));
        Dirs.withParent(file, f -> Files.writeString(f, line + System.lineSeparator(), CREATE, APPEND));
    }

    /** Returns the path of the file of a day. */
    Path file(LocalDate day) {
        return root.resolve(DAY.format(day)).resolve(name);
    }
}
