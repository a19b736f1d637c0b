package io.github.hotpath.examples.replay;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Times of logs, as nanoseconds since 1970: {@code 22/Nov/2026:09:30:00.125 +0100}, ISO 8601, and numbers. The last one
 * is kept, as text: most lines have the time of the line before.
 */
final class Times {
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,19}(\\.\\d{1,30})?");

    /** In 2116 and 1823: between two times nearer than these, no difference overflows. */
    private static final long FARTHEST = 1L << 62;

    private static final DateTimeFormatter ACCESS_LOG = new DateTimeFormatterBuilder()
            .appendPattern("dd/MMM/uuuu:HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendPattern("[ ][XXX][XX]")
            .toFormatter(Locale.ENGLISH)
            .withResolverStyle(ResolverStyle.STRICT);

    private static final DateTimeFormatter ISO = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .appendPattern("[ ][XXX][XX]")
            .toFormatter(Locale.ENGLISH)
            .withResolverStyle(ResolverStyle.STRICT);

    private final Unit unit;
    private final ZoneId zone;
    private String last = "";
    private long lastNanos;
    private boolean isZoneUsed;

    /** Takes the unit of numbers, and the zone of times without an offset. */
    Times(Unit unit, ZoneId zone) {
        this.unit = unit;
        this.zone = zone;
    }

    /** Units in which numbers are times since 1970. */
    enum Unit {
        S(9),
        MS(6),
        US(3),
        NS(0);

        private final int digits;

        Unit(int digits) {
            this.digits = digits;
        }
    }

    /** Returns whether a time without an offset has been read. */
    boolean isZoneUsed() {
        return isZoneUsed;
    }

    /** Returns a time in nanoseconds since 1970. */
    long nanos(String text) throws UnreadableLineException {
        if (text.isEmpty() || !text.equals(last)) {
            lastNanos = parse(text);
            last = text;
        }
        return lastNanos;
    }

    private long parse(String text) throws UnreadableLineException {
        try {
            BigDecimal nanos = NUMBER.matcher(text).matches()
                    ? new BigDecimal(text).movePointRight(unit.digits)
                    : nanos(instant(text));
            long whole = nanos.setScale(0, RoundingMode.DOWN).longValueExact();
            if (-FARTHEST < whole && whole < FARTHEST) {
                return whole;
            }
        } catch (DateTimeException e) {
            throw UnreadableLineException.of(
                    text, "no time, such as 22/Nov/2026:09:30:00 +0100, 2026-11-22T09:30:00.125Z or 1763803800.125");
        } catch (ArithmeticException e) {
            // rejected below
        }
        throw UnreadableLineException.of(text, "a time after 2115 or before 1824; see --time-unit");
    }

    private static BigDecimal nanos(Instant time) {
        return BigDecimal.valueOf(time.getEpochSecond()).movePointRight(9).add(BigDecimal.valueOf(time.getNano()));
    }

    private Instant instant(String text) {
        boolean isIso = text.length() > 4 && text.charAt(4) == '-';
        TemporalAccessor time = isIso
                ? ISO.parse(text.length() > 10 && text.charAt(10) == ' ' ? text.replaceFirst(" ", "T") : text)
                : ACCESS_LOG.parse(text);
        if (time.isSupported(ChronoField.OFFSET_SECONDS)) {
            return OffsetDateTime.from(time).toInstant();
        }
        isZoneUsed = true;
        return LocalDateTime.from(time).atZone(zone).toInstant();
    }
}
