package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.github.hotpath.files.Dirs;
import io.github.hotpath.window.EventWindow;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Splits a log, whose lines begin with a time such as {@code 2026-11-24T12:00:00.5Z}, into a file for each hour, {@code
 * 2026/11/24/12/app.log}, and finds its busiest minute and second, by the times of the lines. A late line counts in the
 * minute that ends at the latest line, or in the second if it is late by less than one. For one thread.
 */
public final class LogProcessor implements Closeable {
    private static final DateTimeFormatter DIRECTORY =
            DateTimeFormatter.ofPattern("uuuu/MM/dd/HH").withZone(ZoneOffset.UTC);

    // A window is closed at both ends: a span of exactly a second would hold the lines of two whole seconds.
    private static final Duration MINUTE = Duration.ofMinutes(1).minusNanos(1);
    private static final Duration SECOND = Duration.ofSeconds(1).minusNanos(1);

    private final Path out;
    private final EventWindow window = EventWindow.of(MINUTE);
    private long latestNanos = Long.MIN_VALUE / 2; // earlier than all, and no difference overflows
    private long busiestMinute;
    private long busiestSecond;
    private long late;

    /** The hour since 1970 whose file is open. */
    private long hour = Long.MIN_VALUE;

    private BufferedWriter writer;

    /** Ensures the directory, so that a wrong one is found out before the first line. */
    LogProcessor(Path out) throws IOException {
        this.out = Dirs.ensure(out);
    }

    /** Processes all lines of {@code log}, each as soon as it comes. */
    void process(InputStream log) throws IOException {
        // In this encoding, which has a character for each byte, text in any other one stays as it is.
        BufferedReader lines = new BufferedReader(new InputStreamReader(log, ISO_8859_1));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            process(line);
        }
    }

    /** Appends the line to the file of its hour, and counts it. Without a time, it belongs to the line before it. */
    private void process(String line) throws IOException {
        Optional<Instant> time = time(line);
        if (time.isPresent()) {
            count(time.get());
            open(time.get());
        } else if (writer == null) {
            throw new IOException("no time at the beginning of the first line: " + line);
        }
        writer.write(line);
        writer.write('\n');
    }

    /** Counts at the time of the event: by the clock of this machine, all of yesterday's have expired long ago. */
    private void count(Instant time) {
        long nanos = TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
        if (latestNanos - nanos > MINUTE.toNanos()) {
            late++; // the window would ignore it
            return;
        }
        latestNanos = Math.max(latestNanos, nanos);
        busiestMinute = Math.max(busiestMinute, window.record(nanos));
        busiestSecond = Math.max(busiestSecond, window.count(nanos, SECOND));
    }

    /** Opens the file of the hour, unless it is open, as it is for most lines. */
    private void open(Instant time) throws IOException {
        long hourOfLine = Math.floorDiv(time.getEpochSecond(), TimeUnit.HOURS.toSeconds(1));
        if (hour != hourOfLine) {
            close();
            Path file = out.resolve(DIRECTORY.format(time)).resolve("app.log");
            writer = Dirs.withParent(file, f -> Files.newBufferedWriter(f, ISO_8859_1, CREATE, APPEND));
            hour = hourOfLine;
        }
    }

    private static Optional<Instant> time(String line) {
        if (line.isEmpty() || !Character.isDigit(line.charAt(0))) { // an exception for each such line would be slow
            return Optional.empty();
        }
        int end = line.indexOf(' ');
        try {
            return Optional.of(Instant.parse(end < 0 ? line : line.substring(0, end)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns what was found. */
    @Override
    public String toString() {
        return "busiest minute: " + busiestMinute + ", busiest second: " + busiestSecond + ", too late to count: "
                + late;
    }

    @Override
    public void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
    }

    /** Takes a log, and the directory for its hours. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("arguments: " + String.join(" ", args) + " (expected: LOG DIRECTORY)");
        }
        try (InputStream log = Files.newInputStream(Path.of(args[0]));
                LogProcessor hours = new LogProcessor(Path.of(args[1]))) {
            hours.process(log);
            System.out.println(hours);
        }
    }
}
