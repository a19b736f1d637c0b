package io.github.hotpath.examples.replay;

import com.google.common.io.CountingInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;
import org.jspecify.annotations.Nullable;

/** A file, or standard input, with lines, which may be compressed: that is seen from its first bytes. */
final class LogFile implements Lines {
    private static final Set<String> COMPRESSIONS =
            Set.of(CompressorStreamFactory.GZIP, CompressorStreamFactory.BZIP2, CompressorStreamFactory.XZ);

    private final String name;
    private final long length;
    private final CountingInputStream bytes;
    private final LineReader lines;
    private @Nullable String compression;
    private long number;

    private LogFile(String name, long length, InputStream in) throws IOException {
        this.name = name;
        this.length = length;
        bytes = new CountingInputStream(in);
        lines = new LineReader(decompressed(new BufferedInputStream(bytes, 1 << 16)));
    }

    static LogFile open(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + ": a directory");
        }
        InputStream in = Files.newInputStream(file);
        try {
            return new LogFile(file.toString(), Files.size(file), in);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    static LogFile standardInput(InputStream in) throws IOException {
        return new LogFile("standard input", -1, in);
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

    @Override
    public @Nullable String next() throws IOException {
        try {
            String line = lines.next();
            number += line == null ? 0 : 1;
            return number == 1 && line != null && line.startsWith("\uFEFF") ? line.substring(1) : line;
        } catch (IOException e) {
            throw compression == null ? new IOException(name + ", after line " + number + ": " + e, e) : damaged(e);
        }
    }

    private IOException damaged(Exception e) {
        return new IOException(
                name + ": ends within its " + compression + " data, or is damaged, after line " + number + " ("
                        + Shown.text(String.valueOf(e.getMessage()), 100) + ")",
                e);
    }

    @Override
    public long position() {
        return bytes.getCount();
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
