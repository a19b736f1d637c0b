package io.github.hotpath.examples.replay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines of comma-separated values: a time, a key and, if there are more columns than two, permits. A value in quotes
 * may contain commas, and quotes if they are doubled, but no line break.
 */
final class CsvFormat implements LineFormat {
    private final CsvColumns columns;
    private final CsvTime time;
    private final @Nullable KeyFormat keys;
    private final List<String> values = new ArrayList<>();

    /**
     * Takes the columns, and the unit of times that are numbers.
     *
     * @param keys if the key is not the value of a column
     */
    CsvFormat(CsvColumns columns, TimeUnits unit, @Nullable KeyFormat keys) {
        this.columns = columns;
        this.keys = keys;
        time = new CsvTime(unit);
    }

    /** Returns whether a first line has the names of the columns: the value that should be a time has no digit. */
    boolean isHeader(String line) {
        try {
            split(line);
            return value(columns.time()).chars().noneMatch(Character::isDigit);
        } catch (UnreadableLineException e) {
            return false;
        }
    }

    @Override
    public Request read(String line) throws UnreadableLineException {
        split(line);
        long nanos = time.nanos(value(columns.time()));
        String key = keys != null ? keys.key(line) : value(columns.key());
        return new Request(nanos, key == null || key.isEmpty() ? null : key, permits());
    }

    private String value(int column) throws UnreadableLineException {
        if (column > values.size()) {
            throw new UnreadableLineException("no column " + column + ": there are " + values.size());
        }
        return values.get(column - 1);
    }

    private int permits() throws UnreadableLineException {
        int column = columns.permits();
        String text = column < 1 || column > values.size() ? "" : values.get(column - 1);
        if (text.isEmpty()) {
            return 1;
        }
        try {
            int permits = Integer.parseInt(text);
            if (permits >= 1) {
                return permits;
            }
        } catch (NumberFormatException e) {
            // rejected below, like a number that is too small
        }
        throw UnreadableLineException.of(text, "no permits, from 1 to 2147483647");
    }

    private void split(String line) throws UnreadableLineException {
        values.clear();
        int start = 0;
        while (start <= line.length()) {
            boolean isQuoted = line.startsWith("\"", start);
            int end = isQuoted ? closingQuote(line, start) + 1 : line.indexOf(',', start);
            end = end < 0 ? line.length() : end;
            if (end < line.length() && line.charAt(end) != ',') {
                throw new UnreadableLineException("a value continues after its closing quote");
            }
            values.add(
                    isQuoted ? line.substring(start + 1, end - 1).replace("\"\"", "\"") : line.substring(start, end));
            start = end + 1;
        }
    }

    private static int closingQuote(String line, int opening) throws UnreadableLineException {
        int quote = line.indexOf('"', opening + 1);
        while (quote >= 0 && line.startsWith("\"", quote + 1)) {
            quote = line.indexOf('"', quote + 2);
        }
        if (quote < 0) {
            throw new UnreadableLineException("a quote is not closed");
        }
        return quote;
    }
}
