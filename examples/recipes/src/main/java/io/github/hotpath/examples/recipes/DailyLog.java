package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * Lines in a file for each day: {@code logs/2026/11/24/app.log}. Thread-safe; other processes may append to the same
 * file, and delete its directories: the next line makes them again.
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
     * Appends a line, in UTF-8. It begins on a new line, also if the disk was full in the middle of the last one; so
     * there may be an empty line where another process was writing at the same moment. An interrupt does not stop it.
     */
    synchronized void append(String line) throws IOException {
        Dirs.withParent(file(LocalDate.ofInstant(clock.instant(), zone)), file -> append(file, line));
    }

    /**
     * Opens the file each time: if it stayed open while it is deleted, lines would go to a file that has no name any
     * more.
     */
    private static Path append(Path file, String line) throws IOException {
        String start = endsWithLine(file) ? "" : System.lineSeparator();
        byte[] bytes = (start + line + System.lineSeparator()).getBytes(UTF_8);
        try (OutputStream out = Files.newOutputStream(file, CREATE, APPEND)) {
            out.write(bytes); // one call of the system, or lines of two processes could mix; Files.write makes several
        }
        return file;
    }

    /** Returns whether the last line of the file is complete, or there is none. */
    private static boolean endsWithLine(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            long size = Files.size(file);
            if (size == 0) {
                return true;
            }
            in.skipNBytes(size - 1);
            return in.read() == '\n';
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    /** Returns the path of the file of a day. */
    Path file(LocalDate day) {
        return root.resolve(DAY.format(day)).resolve(name);
    }
}
