package io.github.hotpath.examples.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Events in files of 20 s each, and what a job counts that reads these one after the other. They come out of order by
 * up to 2 s, and one in a hundred by up to a minute and a half, which is late.
 */
final class EventFiles {
    static final long SEED = Long.getLong("hotpath.seed", 20261122);

    private static final long START = 1_763_640_000_000L;
    private static final long SECONDS = 20;
    private static final int KEYS = 10;
    private static final long OUT_OF_ORDER_MILLIS = 2_000;
    private static final long LATE_MILLIS = 90_000;

    private final List<List<Event>> files = new ArrayList<>();

    EventFiles(int number, int perSecond) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int file = 0; file < number; file++) {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < SECONDS * perSecond; i++) {
                long base = START + file * SECONDS * 1_000 + i * 1_000L / perSecond;
                long behind = random.nextInt(100) == 0 ? LATE_MILLIS : OUT_OF_ORDER_MILLIS;
                events.add(new Event(random.nextInt(KEYS), base - random.nextLong(behind)));
            }
            files.add(events);
        }
    }

    /** Moves the files from one number to another into {@code dir}, the last first, with times in their own order. */
    void move(Path dir, int from, int to) throws IOException {
        for (int i = to - 1; i >= from; i--) {
            Path hidden = dir.resolve(".hidden");
            Files.write(hidden, files.get(i).stream().map(EventFiles::line).toList());
            Files.setLastModifiedTime(hidden, FileTime.fromMillis(START + i));
            Files.move(hidden, dir.resolve("events-" + (i * 7919) % 1000 + "-" + i));
        }
    }

    private static String line(Event event) {
        return event.key() + "," + event.time();
    }

    /** Counts the first files, which the job is to have read, the naive way: the results by {@code KEY,END}. */
    Map<String, Long> expected(int number, Duration size, Duration slide) {
        long slideMillis = slide.toMillis();
        long latest = Long.MIN_VALUE / 2; // that two events in a row have reached
        long previous = latest;
        Map<String, Long> counts = new TreeMap<>();
        for (Event event : (Iterable<Event>) files.stream().limit(number).flatMap(List::stream)::iterator) {
            long passed = latest - OUT_OF_ORDER_MILLIS; // a window that ends until then was counted
            long first = Math.floorDiv(event.time(), slideMillis) * slideMillis + slideMillis;
            for (long end = first; end <= event.time() + size.toMillis(); end += slideMillis) {
                if (end > passed) {
                    counts.merge(event.key() + "," + end, 1L, Long::sum);
                }
            }
            latest = Math.max(latest, Math.min(previous, event.time()));
            previous = event.time();
        }
        long passed = latest - OUT_OF_ORDER_MILLIS;
        counts.keySet().removeIf(window -> Long.parseLong(window.substring(window.indexOf(',') + 1)) > passed);
        return counts;
    }

    /** Reads what a job has written. */
    static List<String> read(Path dir) throws IOException {
        List<String> lines = new ArrayList<>();
        try (var files = Files.list(dir)) {
            for (Path file : files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}
