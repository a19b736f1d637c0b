package io.github.hotpath.examples.replay;

import com.google.common.base.Splitter;
import com.google.common.net.InetAddresses;
import io.github.hotpath.examples.replay.LineFormat.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the lines of logs, finds the key of each, and counts lines that are no requests of a client. */
final class LogReader {
    private static final int SHOWN = 5;
    private static final int IPV4_BYTES = 4;
    private static final Splitter ZONE = Splitter.on('%');

    private final LineFormat format;
    private final Keys keys;
    private final Replay replay;

    /** The first lines that cannot be read: where they are, and why. */
    final List<String> firstUnreadable = new ArrayList<>();

    /** Those that are not blank. */
    long lines;

    long unreadable;
    long withoutKey;

    /** How many keys are no addresses, where addresses are expected. */
    long otherKeys;

    @Nullable
    String firstOther;

    /**
     * How keys are found.
     *
     * @param expression whose first group, or match, is the key; null if the format finds it
     * @param areNetworks whether a key is the network of an address: the first 24 bits of IPv4, the first 64 of IPv6
     * @param areAddresses whether a key that is no address is worth a warning
     */
    record Keys(@Nullable Pattern expression, boolean areNetworks, boolean areAddresses) {}

    LogReader(LineFormat format, Keys keys, Replay replay) {
        this.format = format;
        this.keys = keys;
        this.replay = replay;
    }

    /** Lines, one after another, until null. */
    interface Lines {
        @Nullable
        String next() throws IOException;
    }

    /** Returns the first time in a log that can be read. */
    long firstNanos(Lines log) throws IOException {
        for (String line = log.next(); line != null; line = log.next()) {
            try {
                return format.read(line).nanos();
            } catch (UnreadableLineException e) {
                // counted as soon as the log is read
            }
        }
        return Long.MAX_VALUE;
    }

    /** Reads a log to its end. */
    void read(String name, Lines log) throws IOException {
        long number = 0;
        for (String line = log.next(); line != null; line = log.next()) {
            number++;
            if (line.isBlank() || number == 1 && format.isHeader(line)) {
                continue;
            }
            lines++;
            try {
                read(line);
            } catch (UnreadableLineException e) {
                unreadable++;
                if (firstUnreadable.size() < SHOWN) {
                    firstUnreadable.add(name + ", line " + number + ": " + e.getMessage());
                }
            }
        }
    }

    private void read(String line) throws UnreadableLineException, UnknownHostException {
        if (line.length() > LogFile.LONGEST) {
            throw new UnreadableLineException("longer than " + LogFile.LONGEST + " characters");
        }
        Request request = format.read(line);
        String key = keys.expression == null ? request.key() : match(keys.expression, line);
        if (key == null) {
            withoutKey++;
            return;
        }
        if (keys.areAddresses && !InetAddresses.isInetAddress(key)) {
            otherKeys++;
            firstOther = firstOther == null ? key : firstOther;
        }
        replay.add(keys.areNetworks ? network(key) : key, request.nanos(), request.permits());
    }

    private static @Nullable String match(Pattern expression, String line) {
        Matcher matcher = expression.matcher(line);
        return matcher.find() ? matcher.group(Math.min(1, matcher.groupCount())) : null;
    }

    /** Returns the network of an address, or the key if it is none. */
    private static String network(String key) throws UnknownHostException {
        if (!InetAddresses.isInetAddress(key)) {
            return key;
        }
        // without its zone, which is an interface of another machine
        byte[] bytes = InetAddresses.forString(ZONE.splitToList(key).get(0)).getAddress();
        int kept = bytes.length == IPV4_BYTES ? 3 : 8;
        Arrays.fill(bytes, kept, bytes.length, (byte) 0);
        return InetAddresses.toAddrString(InetAddress.getByAddress(bytes)) + "/" + 8 * kept;
    }
}
