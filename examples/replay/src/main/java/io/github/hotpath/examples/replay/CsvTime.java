package io.github.hotpath.examples.replay;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Times in CSV: numbers since 1970, with decimals or without, or ISO 8601 with an offset or {@code Z}. */
final class CsvTime {
    private static final long FARTHEST = 9_180_000_000_000_000_000L; // in 2260 and 1679

    private final TimeUnits unit;
    private String last = "";
    private long lastNanos;

    CsvTime(TimeUnits unit) {
        this.unit = unit;
    }

    /** Returns a time in nanoseconds since 1970. */
    long nanos(String text) throws UnreadableLineException {
        if (text.isEmpty() || !text.equals(last)) {
            try {
                lastNanos = checked(isNumber(text) ? number(text) : iso(text));
            } catch (ArithmeticException e) {
                throw UnreadableLineException.of(text, "a time after 2260 or before 1680; see --time-unit");
            }
            last = text;
        }
        return lastNanos;
    }

    private static long checked(long nanos) {
        if (Math.abs(nanos) > FARTHEST) {
            throw new ArithmeticException("so near to the ends of a long that a difference could overflow");
        }
        return nanos;
    }

    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && c != '.' && !(c == '-' && i == 0)) {
                return false;
            }
        }
        return true;
    }

    private long number(String text) throws UnreadableLineException {
        boolean isNegative = text.startsWith("-");
        int point = text.indexOf('.');
        int end = point < 0 ? text.length() : point;
        int start = isNegative ? 1 : 0;
        if (start == end || end - start > 19 || text.indexOf('.', end + 1) >= 0 || point == text.length() - 1) {
            throw noTime(text);
        }
        long nanos = whole(text, start, end);
        long place = unit.nanos;
        for (int i = end + 1; i < text.length(); i++) {
            place /= 10; // what is less than a nanosecond is cut
            nanos = Math.addExact(nanos, place * (text.charAt(i) - '0'));
        }
        return isNegative ? -nanos : nanos;
    }

    private long whole(String text, int start, int end) {
        try {
            return Math.multiplyExact(Long.parseLong(text, start, end, 10), unit.nanos);
        } catch (NumberFormatException e) {
            throw new ArithmeticException(e.getMessage()); // 19 digits that are more than a long
        }
    }

    private static long iso(String text) throws UnreadableLineException {
        try {
            Instant time = OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
        } catch (DateTimeException e) {
            throw noTime(text);
        }
    }

    private static UnreadableLineException noTime(String text) {
        return UnreadableLineException.of(text, "no time, such as 1763803800.125 or 2026-11-22T09:30:00.125Z");
    }
}
