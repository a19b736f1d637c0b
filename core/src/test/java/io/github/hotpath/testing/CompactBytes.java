package io.github.hotpath.testing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Stream;

/** The compact form of some class, in memory. */
public final class CompactBytes<T> {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final Writer<T> writer;
    private final Reader<T> reader;

    /** Its method writeTo. */
    public interface Writer<T> {
        void write(T written, DataOutput out) throws IOException;
    }

    /** Its method readFrom. */
    public interface Reader<T> {
        T read(DataInput in, long shiftNanos) throws IOException;
    }

    public CompactBytes(Writer<T> writer, Reader<T> reader) {
        this.writer = writer;
        this.reader = reader;
    }

    public void write(T written, DataOutput out) throws IOException {
        writer.write(written, out);
    }

    public byte[] of(T written) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(written, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    public String hex(T written) throws IOException {
        return HEX.formatHex(of(written));
    }

    public T read(DataInput in) throws IOException {
        return reader.read(in, 0);
    }

    public T read(byte[] bytes) throws IOException {
        return read(input(bytes));
    }

    public static DataInputStream input(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }

    public T read(String hex) throws IOException {
        return read(parse(hex));
    }

    /** Returns what is read when {@code original} was written. */
    public T copy(T original) throws IOException {
        return shifted(original, 0);
    }

    /** Returns what is read with another clock when {@code original} was written. */
    public T shifted(T original, long shiftNanos) throws IOException {
        return reader.read(input(of(original)), shiftNanos);
    }

    /** Returns the bytes that {@code hex} stands for, in which spaces mean nothing. */
    public static byte[] parse(String hex) {
        return HEX.parseHex(hex.replace(" ", ""));
    }

    /** Returns the columns of each line of a resource beside {@code test}. */
    public static Stream<String[]> stored(Class<?> test, String resource) throws IOException {
        try (InputStream in = test.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" *; *", -1));
        }
    }
}
