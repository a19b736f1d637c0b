package io.github.hotpath.examples.replay;

/** Text of a log as it is shown: a log may contain anything, and a terminal obeys control characters. */
final class Shown {
    private Shown() {}

    /** Returns a text without control characters, and cut where it is too long. */
    static String text(String text, int length) {
        String shown = text.length() <= length ? text : text.substring(0, length - 3) + "...";
        return shown.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "?");
    }
}
