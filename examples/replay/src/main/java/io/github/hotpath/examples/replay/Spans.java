package io.github.hotpath.examples.replay;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Time spans as people write them: {@code 500ms}, {@code 10s}, {@code 1m}, {@code 1h}, {@code 7d}. */
final class Spans {
    private static final Pattern SPAN = Pattern.compile("(\\d{0,18})(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = new TreeMap<>(Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1)));

    private static final Duration LONGEST = Duration.ofDays(366);

    private Spans() {}

    /**
     * Reads a span from a millisecond to 366 days; without a number it is one unit, as in {@code 60/m}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Duration parse(String text) {
        Matcher span = SPAN.matcher(text);
        if (span.matches()) {
            long number = span.group(1).isEmpty() ? 1 : Long.parseLong(span.group(1));
            Duration unit = UNITS.getOrDefault(span.group(2), Duration.ZERO);
            if (number >= 1 && number <= LONGEST.dividedBy(unit)) {
                return unit.multipliedBy(number);
            }
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no time span from 1ms to 366d, such as 500ms, 10s, 1m, 1h or 1d");
    }

    /** Returns what {@link #parse} reads, in the largest unit of which it is a whole number. */
    static String text(Duration span) {
        for (String unit : new String[] {"d", "h", "m", "s"}) {
            Duration one = UNITS.getOrDefault(unit, Duration.ZERO);
            if (span.toNanos() % one.toNanos() == 0) {
                return span.dividedBy(one) + unit;
            }
        }
        return span.toMillis() + "ms";
    }
}
