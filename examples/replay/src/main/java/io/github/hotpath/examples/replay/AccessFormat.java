package io.github.hotpath.examples.replay;

import com.google.common.base.Splitter;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import com.google.common.net.InetAddresses;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lines of an access log: the common or the combined format, those of Apache, nginx, Tomcat and HAProxy with more in
 * front, or any other with a time in brackets. The name of a user is text that clients write, with blanks or the address
 * of somebody else: it begins behind the first dash, which stands for an identity that no server asks for.
 */
final class AccessFormat implements LineFormat {
    private static final Pattern TIME = Pattern.compile("\\[(\\d{2}/[A-Za-z]{3}/\\d{4}:[\\d:.]+(?: [-+]\\d{2}:?\\d{2})?"
            + "|\\d{4}-\\d{2}-\\d{2}[T ][\\d:.]+(?:Z| ?[-+]\\d{2}:?\\d{2})?)]");
    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*+)\"");
    private static final Pattern PORT =
            Pattern.compile("((?:::ffff:)?\\d+\\.\\d+\\.\\d+\\.\\d+|\\[.*]|[\\da-f:]+(?=:\\d{5}$)"
                    + "|(?:[\\da-f]{1,4}:){7}[\\da-f]{1,4}):\\d+");
    /** A header of syslog by RFC 5424, and fields in front that are empty: their dashes are not that of the identity. */
    private static final Pattern DASHES = Pattern.compile("^(?:<\\d+>1(?: \\S+){5} (?:-|\\[.*?]))? *(?:- +)*");

    private static final char ESCAPE = '\u001B';

    /** A sequence by which a terminal changes its colours. */
    private static final Pattern COLOUR = Pattern.compile(ESCAPE + "\\[[\\d;]*m");

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
    public Request read(String raw) throws UnreadableLineException {
        String line = raw.replace('\t', ' ');
        line = line.indexOf(ESCAPE) < 0 ? line : COLOUR.matcher(line).replaceAll("");
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
     * Returns an address before the user and the time: the last one before an identity, since what is in front are hosts
     * and proxies; without an identity the first one behind a tag of syslog, since the name of a host, which clients
     * write, may follow it. Otherwise an address that follows the time, but not in quotes; if there is none, the name of
     * the host, which stands in its place.
     */
    private static @Nullable String address(String before, String after) {
        List<String> words = words(before);
        int dash = words.indexOf("-");
        boolean hasIdentity = dash >= 0 && dash < words.size() - 1;
        List<String> front = dash < 0 ? words : words.subList(0, dash);
        int tag = Iterables.indexOf(front, word -> word.endsWith(":") && !InetAddresses.isInetAddress(word));
        String next = Iterables.getFirst(WORDS.limit(2).split(after), "\"");
        boolean isNext = !next.startsWith("\"") && (front.isEmpty() || InetAddresses.isInetAddress(bare(next)));
        return (hasIdentity
                        ? Lists.reverse(front).stream()
                        : Stream.concat(front.stream().skip(tag + 1), front.stream()))
                .map(AccessFormat::bare)
                .filter(InetAddresses::isInetAddress)
                .findFirst()
                .orElseGet(() -> isNext ? bare(next) : front.isEmpty() ? null : bare(Iterables.getLast(front)));
    }

    private static List<String> words(String before) {
        return WORDS.splitToList(DASHES.matcher(before).replaceFirst(""));
    }

    /** Returns a word without quotes, comma, brackets and port. */
    private static String bare(String word) {
        String bare = word.startsWith("\"") || word.endsWith("\"") ? word.replace("\"", "") : word;
        bare = bare.endsWith(",") ? bare.substring(0, bare.length() - 1) : bare;
        Matcher withPort = PORT.matcher(bare);
        bare = bare.indexOf(':') >= 0 && withPort.matches() ? withPort.group(1) : bare;
        return bare.startsWith("[") && bare.endsWith("]") ? bare.substring(1, bare.length() - 1) : bare;
    }

    /** Returns what stands between the dash and the time. */
    private static String user(String before) {
        List<String> words = words(before);
        int dash = words.indexOf("-");
        String user = dash < 0 ? "" : String.join(" ", words.subList(dash + 1, words.size()));
        return user.replaceFirst("^\"(.*)\"$", "$1");
    }

    /** Returns the text in the quotes of that number, from 1. */
    private static @Nullable String quoted(String text, int number) {
        return QUOTED.matcher(text)
                .results()
                .skip(number - 1)
                .map(quoted -> quoted.group(1))
                .findFirst()
                .orElse(null);
    }
}
