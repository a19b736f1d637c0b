package io.github.hotpath.examples.replay;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the key of a client in a line. */
interface KeyFormat {
    /** Returns the key, or null if the line has none. */
    @Nullable
    String key(String line);

    /** The first group of an expression, or all that it matches if it has no group. */
    static KeyFormat matching(Pattern expression) {
        Matcher matcher = expression.matcher("");
        int group = Math.min(1, matcher.groupCount());
        return line -> matcher.reset(line).find() ? matcher.group(group) : null;
    }

    /**
     * A field, from 1. Fields are separated by blanks; one in quotes or brackets may contain blanks. A field that is
     * missing, empty or a hyphen is no key.
     */
    static KeyFormat field(int number) {
        return line -> field(line, number);
    }

    private static @Nullable String field(String line, int number) {
        int start = 0;
        for (int before = 1; before < number && start < line.length(); before++) {
            start = end(line, start) + 1;
        }
        if (start >= line.length()) {
            return null;
        }
        int end = end(line, start);
        boolean isEnclosed = end - start >= 2 && closing(line.charAt(start)) == line.charAt(end - 1);
        String field = isEnclosed ? line.substring(start + 1, end - 1) : line.substring(start, end);
        return field.isEmpty() || field.equals("-") ? null : field;
    }

    /** Returns where the blank after the field is that begins at {@code start}, or the end of the line. */
    private static int end(String line, int start) {
        char closing = start < line.length() ? closing(line.charAt(start)) : ' ';
        int at = start;
        if (closing != ' ') {
            at++;
            while (at < line.length() && line.charAt(at) != closing) {
                at += line.charAt(at) == '\\' ? 2 : 1; // Apache writes \" for a quote
            }
        }
        int end = at < line.length() ? line.indexOf(' ', at) : -1;
        return end < 0 ? line.length() : end;
    }

    private static char closing(char opening) {
        return opening == '"' ? '"' : opening == '[' ? ']' : ' ';
    }
}
