package io.github.hotpath.examples.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Lines of comma-separated values: a time, a key and, if there is such a column, permits. Each line is parsed alone, so
 * that a quote that is not closed spoils one line and not the rest of the log: a value has no line break.
 */
final class CsvFormat implements LineFormat {
    private static final Pattern PERMITS = Pattern.compile("0*[1-9]\\d{0,9}");

    private final List<Integer> columns;
    private final Times times;

    /** Takes the columns, from 1, of the time, the key and perhaps the permits. */
    CsvFormat(List<Integer> columns, Times times) {
        this.columns = columns;
        this.times = times;
    }

    /** Returns whether the value that should be a time has no digit. */
    @Override
    public boolean isHeader(String line) {
        try {
            return value(parse(line), columns.get(0)).chars().noneMatch(Character::isDigit);
        } catch (UnreadableLineException e) {
            return false;
        }
    }

    @Override
    public Request read(String line) throws UnreadableLineException {
        CSVRecord values = parse(line);
        String key = value(values, columns.get(1));
        return new Request(times.nanos(value(values, columns.get(0))), key.isEmpty() ? null : key, permits(values));
    }

    private static CSVRecord parse(String line) throws UnreadableLineException {
        try (CSVParser parser = CSVParser.parse(line, CSVFormat.RFC4180)) {
            return parser.iterator().next();
        } catch (IOException | UncheckedIOException e) {
            throw UnreadableLineException.of(line, "no comma-separated values (" + e.getMessage() + ")");
        }
    }

    private static String value(CSVRecord values, int column) throws UnreadableLineException {
        if (column > values.size()) {
            throw new UnreadableLineException("no column " + column + ": there are " + values.size());
        }
        return values.get(column - 1);
    }

    private int permits(CSVRecord values) throws UnreadableLineException {
        String text = columns.size() < 3 || columns.get(2) > values.size() ? "" : values.get(columns.get(2) - 1);
        if (text.isEmpty()) {
            return 1;
        }
        long permits = PERMITS.matcher(text).matches() ? Long.parseLong(text) : 0;
        if (permits < 1 || permits > Integer.MAX_VALUE) {
            throw UnreadableLineException.of(text, "no permits, from 1 to 2147483647");
        }
        return (int) permits;
    }
}
