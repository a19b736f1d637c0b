package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.replay.ReplayArguments.Format;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Arguments in words. */
final class Converters {
    private Converters() {}

    private static TypeConversionException wrong(String message) {
        return new TypeConversionException(message);
    }

    /** Returns a number from {@code least} to {@code most}. */
    private static int number(String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // rejected below, like a number out of range
        }
        throw wrong("'" + text + "' is no whole number from " + least + " to " + most);
    }

    /** Numbers of one or more. */
    static final class PositiveNumbers implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return number(text, 1, Integer.MAX_VALUE);
        }
    }

    /** Numbers for which a table has room. */
    static final class UpToAThousand implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return number(text, 0, 1000);
        }
    }

    /** Limits. */
    static final class Candidates implements ITypeConverter<Candidate> {
        @Override
        public Candidate convert(String text) {
            try {
                return Candidate.parse(text);
            } catch (IllegalArgumentException e) {
                throw wrong(e.getMessage());
            }
        }
    }

    /** Time spans. */
    static final class Intervals implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return Spans.parse(text.strip());
            } catch (IllegalArgumentException e) {
                throw wrong(e.getMessage());
            }
        }
    }

    /** Parts of a whole, {@code 0.1%}, as numbers from 0 to 1. */
    static final class Shares implements ITypeConverter<Double> {
        private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(\\.\\d{1,9})?)%");

        @Override
        public Double convert(String text) {
            Matcher percent = PERCENT.matcher(text);
            if (!percent.matches() || Double.parseDouble(percent.group(1)) > 100) {
                throw wrong("'" + text + "' is no part from 0% to 100%, such as 0.1%");
            }
            return Double.parseDouble(percent.group(1)) / 100;
        }
    }

    /** The formats of logs. */
    static final class Formats implements ITypeConverter<Format> {
        @Override
        public Format convert(String text) {
            return switch (text) {
                case "access" -> Format.ACCESS;
                case "csv" -> Format.CSV;
                default -> throw wrong("'" + text + "' is neither access nor csv");
            };
        }
    }

    /** The fields of an access log, by number or by the name that they have in the combined format. */
    static final class Fields implements ITypeConverter<Integer> {
        private static final Map<String, Integer> NAMES =
                Map.of("address", 1, "user", 3, "request", 5, "referer", 8, "agent", 9);

        @Override
        public Integer convert(String text) {
            Integer named = NAMES.get(text);
            if (named != null) {
                return named;
            }
            if (!text.matches("[1-9]\\d{0,2}")) {
                throw wrong("'" + text
                        + "' is no field: address, user, request, referer, agent, or a number from 1 to 999");
            }
            return Integer.parseInt(text);
        }
    }

    /** Regular expressions. */
    static final class Expressions implements ITypeConverter<Pattern> {
        @Override
        public Pattern convert(String text) {
            try {
                return Pattern.compile(text);
            } catch (PatternSyntaxException e) {
                throw wrong("'" + text + "': " + e.getDescription() + " at character " + (e.getIndex() + 1));
            }
        }
    }

    /** Two or three columns. */
    static final class Columns implements ITypeConverter<CsvColumns> {
        @Override
        public CsvColumns convert(String text) {
            List<Integer> columns = Arrays.stream(text.split(",", -1))
                    .map(column -> number(column.strip(), 1, 1000))
                    .toList();
            if (columns.size() < 2 || columns.size() > 3) {
                throw wrong("'" + text + "' is no two or three columns, such as 1,2,3");
            }
            return new CsvColumns(columns.get(0), columns.get(1), columns.size() == 3 ? columns.get(2) : 0);
        }
    }

    /** Units of times. */
    static final class Units implements ITypeConverter<TimeUnits> {
        @Override
        public TimeUnits convert(String text) {
            return switch (text) {
                case "s" -> TimeUnits.S;
                case "ms" -> TimeUnits.MS;
                case "us" -> TimeUnits.US;
                case "ns" -> TimeUnits.NS;
                default -> throw wrong("'" + text + "' is none of s, ms, us and ns");
            };
        }
    }
}
