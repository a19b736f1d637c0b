package io.github.hotpath.examples.stream;

import org.jspecify.annotations.Nullable;

/**
 * A line that a source has read: an event in the form {@code KEY,MILLISECONDS}, or other text.
 *
 * @param place where it was read, such as the name of a file
 * @param number of the line there, from 1 in a file; in a partition its offset
 * @param event in this line, or null if there is none
 * @param text of the line if there is no event in it, otherwise empty
 */
public record Line(String place, long number, @Nullable Event event, String text) {
    /** The form of an event. */
    static final String FORM = "KEY,MILLISECONDS";

    /**
     * About the year 2255: times up to here fit into nanoseconds. Times that are in microseconds or nanoseconds by
     * mistake do not, and one of them would make all later events late.
     */
    private static final long MAX_MILLIS = 9_000_000_000_000L;

    /** Reads the text of a line. */
    static Line of(String place, long number, String text) {
        int comma = text.indexOf(',');
        if (comma >= 0) {
            try {
                long key = Long.parseLong(text.substring(0, comma).strip());
                long time = Long.parseLong(text.substring(comma + 1).strip());
                if (time >= -MAX_MILLIS && time <= MAX_MILLIS) {
                    return new Line(place, number, new Event(key, time), "");
                }
            } catch (NumberFormatException e) {
                // no event, like a line without a comma
            }
        }
        return new Line(place, number, null, text);
    }

    /** Returns the time of the event, or {@link Long#MIN_VALUE}, which for Flink is no time. */
    long time() {
        return event == null ? Long.MIN_VALUE : event.time();
    }

    /** Says where the line is and why it is not counted. */
    String fault() {
        return "line " + number + " of " + place + ": '" + text + "' (expected: " + FORM + ")";
    }
}
