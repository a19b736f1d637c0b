package io.github.hotpath.examples.replay;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines in UTF-8 that end with a line feed, or with a carriage return and a line feed. Of a line longer than
 * {@link #LONGEST} the rest is skipped, so that a file without line feeds, such as a picture, needs no memory.
 */
final class LineReader implements Closeable {
    /** In bytes. What {@link #next} returns of a longer line has one character more. */
    static final int LONGEST = 65_536;

    private final InputStream in;
    private final byte[] buffer = new byte[4 * LONGEST];

    /** What has been read and not returned is from {@code start} until {@code end}. */
    private int start;

    private int end;

    /** Where the bytes begin in which no line feed has been searched. */
    private int searched;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** Returns the next line without its end, or null. */
    @Nullable
    String next() throws IOException {
        int feed = find(start);
        while (feed < 0 && end - start <= LONGEST && fill()) {
            feed = find(Math.max(start, searched));
        }
        if (feed < 0) {
            return end == start ? null : last();
        }
        int from = start;
        start = feed + 1;
        boolean hasReturn = feed > from && buffer[feed - 1] == '\r';
        return text(from, hasReturn ? feed - 1 : feed);
    }

    private int find(int from) {
        byte[] bytes = buffer;
        for (int i = from; i < end; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        searched = end;
        return -1;
    }

    /** Returns the line without a line feed that is the end of the file, or the beginning of one that is too long. */
    private String last() throws IOException {
        String line = text(start, end);
        while (end > start) { // skips the rest
            int feed = find(start);
            start = feed < 0 ? end : feed + 1;
            if (feed >= 0 || !fill()) {
                break;
            }
        }
        return line;
    }

    /** Returns a line; of one that is too long as many characters as bytes, so that its length shows it. */
    private String text(int from, int to) {
        return to - from > LONGEST
                ? new String(buffer, from, LONGEST + 1, StandardCharsets.ISO_8859_1)
                : new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /** Reads more bytes, and returns whether there are any. */
    private boolean fill() throws IOException {
        if (buffer.length - end < LONGEST) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            searched -= start;
            end -= start;
            start = 0;
        }
        int length = in.read(buffer, end, buffer.length - end);
        end += Math.max(length, 0);
        return length > 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
