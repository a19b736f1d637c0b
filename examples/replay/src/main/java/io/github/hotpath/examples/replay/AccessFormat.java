package io.github.hotpath.examples.replay;

import com.google.common.base.Splitter;
import com.google.common.net.InetAddresses;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lines of an access log: the common or the combined format, those of Apache, nginx, Tomcat and HAProxy with more in
 * front, or any other with a time in brackets. Fields are found from the brackets outwards: what stands in front of the
 * address differs, and the name of a user may have blanks.
 */
final class AccessFormat implements LineFormat {
    private static final Pattern TIME = Pattern.compile("\\[(\\d{2}/[A-Za-z]{3}/\\d{4}:[\\d:.]+(?: [-+]\\d{2}:?\\d{2})?"
            + "|\\d{4}-\\d{2}-\\d{2}[T ][\\d:.]+(?:Z| ?[-+]\\d{2}:?\\d{2})?)]");
    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*+)\"");
    private static final Pattern PORT =
            Pattern.compile("((?:::ffff:)?\\d+\\.\\d+\\.\\d+\\.\\d+|\\[.*]|[\\da-f:]+(?=:\\d{5}$)"
                    + "|(?:[\\da-f]{1,4}:){7}[\\da-f]{1,4}):\\d+");
    private static final Splitter WORDS = Splitter.on(' ').omitEmptyStrings();

    private final Key key;
    private final Times times;
    private final Matcher time = TIME.matcher("");

    AccessFormat(Key key, Times times) {
        this.key = key;
        this.times = times;
    }

    /** What a client is. */
    enum Key {
        ADDRESS,
        USER,
        REQUEST,
        REFERER,
        AGENT
    }

    @Override
    public Request read(String line) throws UnreadableLineException {
        if (!time.reset(line).find()) {
            throw UnreadableLineException.of(line, "no time, such as [22/Nov/2026:09:30:00 +0100]");
        }
        long nanos = times.nanos(time.group(1));
        String before = line.substring(0, time.start());
        String after = line.substring(time.end());
        if (before.startsWith("\"") && before.indexOf('"', 1) < 0) { // the whole line is in quotes
            before = before.substring(1);
            after = unquoted(after);
        }
        String value = switch (key) {
            case ADDRESS -> address(before, after);
            case USER -> user(before);
            case REQUEST -> quoted(after, 1);
            case REFERER -> quoted(after, 2);
            case AGENT -> quoted(after, 3);
        };
        return new Request(nanos, value == null || value.isEmpty() || value.equals("-") ? null : value, 1);
    }

    private static String unquoted(String rest) {
        String inner = rest.endsWith("\"") ? rest.substring(0, rest.length() - 1) : rest;
        return inner.stripLeading().startsWith("\"\"") ? inner.replace("\"\"", "\"") : inner.replace("\\\"", "\"");
    }

    /**
     * Returns the last address before the time, otherwise one that follows the time. If there is none, the third word
     * before the time, as in the common format: the name of a host.
     */
    private static @Nullable String address(String before, String after) {
        List<String> words = WORDS.splitToList(before);
        int at = indexOfAddress(words);
        if (at >= 0) {
            return bare(words.get(at));
        }
        List<String> next = WORDS.limit(2).splitToList(after);
        if (!next.isEmpty() && (words.isEmpty() || InetAddresses.isInetAddress(bare(next.get(0))))) {
            return bare(next.get(0));
        }
        return words.isEmpty() ? null : bare(words.get(Math.max(0, words.size() - 3)));
    }

    private static int indexOfAddress(List<String> words) {
        for (int i = words.size() - 1; i >= 0; i--) {
            if (InetAddresses.isInetAddress(bare(words.get(i)))) {
                return i;
            }
        }
        return -1;
    }

    /** Returns a word without quotes, comma, brackets and port. */
    private static String bare(String word) {
        String bare = word.startsWith("\"") || word.endsWith("\"") ? word.replace("\"", "") : word;
        bare = bare.endsWith(",") ? bare.substring(0, bare.length() - 1) : bare;
        Matcher withPort = PORT.matcher(bare);
        bare = bare.indexOf(':') >= 0 && withPort.matches() ? withPort.group(1) : bare;
        return bare.startsWith("[") && bare.endsWith("]") ? bare.substring(1, bare.length() - 1) : bare;
    }

    /** Returns what stands between the address, one more word, and the time. */
    private static @Nullable String user(String before) {
        List<String> words = WORDS.splitToList(before);
        int address = indexOfAddress(words);
        int first = address >= 0 ? address + 2 : Math.min(2, words.size());
        if (first >= words.size()) {
            return null;
        }
        String user = String.join(" ", words.subList(first, words.size()));
        return user.length() > 1 && user.startsWith("\"") && user.endsWith("\"")
                ? user.substring(1, user.length() - 1)
                : user;
    }

    /** Returns the text in the quotes of that number, from 1. */
    private static @Nullable String quoted(String text, int number) {
        Matcher quoted = QUOTED.matcher(text);
        for (int i = 1; quoted.find(); i++) {
            if (i == number) {
                return quoted.group(1);
            }
        }
        return null;
    }
}
