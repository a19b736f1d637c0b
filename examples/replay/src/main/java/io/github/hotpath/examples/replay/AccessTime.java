package io.github.hotpath.examples.replay;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Times of access logs, {@code 22/Nov/2026:09:30:00 +0100}. The last one is kept, as text: most lines have the time of
 * the line before.
 */
final class AccessTime {
    private static final String PATTERN = "00/AAA/0000:00:00:00 +0000";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    private String last = "";
    private long lastNanos;

    /** Returns whether there is what looks like a time, at this place of a line, with a bracket after it. */
    boolean isAt(String line, int at) {
        int end = at + PATTERN.length();
        if (end >= line.length() || line.charAt(end) != ']') {
            return false;
        }
        if (!last.isEmpty() && line.startsWith(last, at)) {
            return true;
        }
        for (int i = 0; i < PATTERN.length(); i++) {
            if (!fits(line.charAt(at + i), PATTERN.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(char c, char pattern) {
        return switch (pattern) {
            case '0' -> c >= '0' && c <= '9';
            case 'A' -> c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
            case '+' -> c == '+' || c == '-';
            default -> c == pattern;
        };
    }

    /** Returns the time at a place where {@link #isAt}, in nanoseconds since 1970. */
    long nanos(String line, int at) throws UnreadableLineException {
        if (last.isEmpty() || !line.startsWith(last, at)) {
            String text = line.substring(at, at + PATTERN.length());
            lastNanos = Math.multiplyExact(seconds(text), 1_000_000_000L);
            last = text;
        }
        return lastNanos;
    }

    private static long seconds(String text) throws UnreadableLineException {
        int year = number(text, 7, 11);
        int month = MONTHS.indexOf(text.substring(3, 6)) / 3 + 1;
        int hour = number(text, 12, 14);
        int minute = number(text, 15, 17);
        int second = number(text, 18, 20); // 60: a leap second
        int offset = number(text, 22, 24) * 60 + number(text, 24, 26);
        boolean isTime = hour < 24 && minute < 60 && second <= 60 && offset <= 18 * 60;
        if (!isTime || MONTHS.indexOf(text.substring(3, 6)) % 3 != 0 || year < 1700 || year > 2259) {
            throw UnreadableLineException.of(text, "no time that exists");
        }
        try {
            long day = LocalDate.of(year, month, number(text, 0, 2)).toEpochDay();
            int east = text.charAt(21) == '-' ? -offset : offset;
            return day * 86_400 + hour * 3_600L + minute * 60L + second - east * 60L;
        } catch (DateTimeException e) {
            throw UnreadableLineException.of(text, "no day that exists");
        }
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }
}
