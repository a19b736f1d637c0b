package io.github.hotpath.examples.replay;

import java.util.ArrayList;
import java.util.List;

/** How the reading of a log went: its name, and the lines that are not requests of a client. */
final class ReadLog {
    private static final int SHOWN = 5;

    private final String name;
    private final List<String> firstUnreadable = new ArrayList<>();
    private long lines;
    private long unreadable;
    private long withoutKey;

    ReadLog(String name) {
        this.name = name;
    }

    /** Counts a line that is not blank. */
    void addLine() {
        lines++;
    }

    /** Counts a line that has no key, and keeps nothing of it. */
    void addWithoutKey() {
        withoutKey++;
    }

    /** Counts a line that cannot be read, and keeps the first of them. */
    void addUnreadable(String place, UnreadableLineException reason) {
        unreadable++;
        if (firstUnreadable.size() < SHOWN) {
            firstUnreadable.add(place + ": " + reason.getMessage());
        }
    }

    String name() {
        return name;
    }

    long lines() {
        return lines;
    }

    long unreadable() {
        return unreadable;
    }

    long withoutKey() {
        return withoutKey;
    }

    /** Returns the first lines that cannot be read: where they are, and why. */
    List<String> firstUnreadable() {
        return firstUnreadable;
    }
}
