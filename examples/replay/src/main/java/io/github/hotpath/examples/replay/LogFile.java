package io.github.hotpath.examples.replay;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;
import org.jspecify.annotations.Nullable;

/** Lines in UTF-8 or UTF-16, of a file or of standard input, which may be compressed: the first bytes tell. */
final class LogFile implements AutoCloseable {
    /** The most characters of a line: of a longer one, the first of them and one more are returned. */
    static final int LONGEST = 65_536;

    private static final Set<String> COMPRESSIONS =
            Set.of(CompressorStreamFactory.GZIP, CompressorStreamFactory.BZIP2, CompressorStreamFactory.XZ);

    private final String name;
    private final BufferedReader in;
    private final StringBuilder line = new StringBuilder();
    private @Nullable String compression;
    private long number;

    /** Reads {@code in} from its beginning, and closes it. */
    LogFile(String name, InputStream in) throws IOException {
        this.name = name;
        PushbackInputStream text = new PushbackInputStream(decompressed(new BufferedInputStream(in, 1 << 16)), 2);
        this.in = new BufferedReader(new InputStreamReader(text, charset(text)), 1 << 16);
    }

    /** Returns what the mark in front of the text tells, as PowerShell writes it. */
    private Charset charset(PushbackInputStream text) throws IOException {
        try {
            byte[] mark = text.readNBytes(2);
            text.unread(mark);
            boolean isUtf16 = mark.length == 2 && (mark[0] == -1 && mark[1] == -2 || mark[0] == -2 && mark[1] == -1);
            return isUtf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    static LogFile open(Path file) throws IOException {
        InputStream in = Files.newInputStream(file);
        try {
            return new LogFile(file.toString(), in);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private InputStream decompressed(InputStream in) throws IOException {
        try {
            compression = CompressorStreamFactory.detect(in);
        } catch (CompressorException e) {
            return in; // not compressed
        }
        if (!COMPRESSIONS.contains(compression)) {
            throw new IOException(name + ": compressed as " + compression
                    + ", which this does not read: decompress it and pipe the lines to standard input");
        }
        try {
            return new CompressorStreamFactory(true).createCompressorInputStream(compression, in); // true: members
        } catch (CompressorException e) {
            throw damaged(e);
        }
    }

    /** Returns the next line without its end, or null. */
    @Nullable
    String next() throws IOException {
        try {
            String next = readLine();
            number += next == null ? 0 : 1;
            return number == 1 && next != null && next.startsWith("\uFEFF") ? next.substring(1) : next;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** As BufferedReader.readLine, but a file without line feeds, such as a picture, needs no memory. */
    private @Nullable String readLine() throws IOException {
        line.setLength(0);
        int c = in.read();
        if (c < 0) {
            return null;
        }
        for (; c >= 0 && c != '\n'; c = in.read()) {
            if (line.length() <= LONGEST) {
                line.append((char) c);
            }
        }
        boolean hasReturn = line.length() > 0 && line.charAt(line.length() - 1) == '\r';
        return line.substring(0, line.length() - (hasReturn ? 1 : 0));
    }

    private IOException failure(IOException e) {
        return compression == null ? new IOException(name + ", after line " + number + ": " + e, e) : damaged(e);
    }

    private IOException damaged(Exception e) {
        return new IOException(
                name + ": ends within its " + compression + " data, or is damaged, after line " + number + " ("
                        + Report.shown(String.valueOf(e.getMessage()), 100) + ")",
                e);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
