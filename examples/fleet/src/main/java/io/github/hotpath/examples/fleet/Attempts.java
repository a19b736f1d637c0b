package io.github.hotpath.examples.fleet;

import io.github.hotpath.limit.Limit;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How attempts are written into an entry of the log, each by itself. */
final class Attempts {
    /** Of a key, or the name of a limit: written, a character has up to 3 bytes, and the whole at most 65,535. */
    static final int LONGEST_KEY = 20_000;

    private Attempts() {}

    /** A limit, or several, that are known by a name. Another name, or other limits, count by themselves. */
    record LimitSet(String name, List<Limit> limits) {}

    /** What is wanted of a key. An attempt has one or more, all or nothing. */
    record Request(LimitSet limits, String key, int permits) {}

    /** Writes an attempt. */
    static byte[] write(List<Request> attempt) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            out.writeByte(attempt.size());
            for (Request request : attempt) {
                writeLimits(request.limits, out);
                out.writeUTF(request.key);
                out.writeInt(request.permits);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not to memory
        }
        return bytes.toByteArray();
    }

    static void writeLimits(LimitSet limits, DataOutput out) throws IOException {
        out.writeUTF(limits.name);
        out.writeByte(limits.limits.size());
        for (Limit limit : limits.limits) {
            out.writeLong(limit.max());
            out.writeLong(limit.interval().toNanos());
            out.writeBoolean(limit.isPerCall());
        }
    }

    /**
     * Reads an attempt.
     *
     * @throws IOException if {@link #write} cannot have written it
     */
    static List<Request> read(DataInput in) throws IOException {
        List<Request> attempt = new ArrayList<>();
        for (int left = in.readUnsignedByte(); left > 0; left--) {
            LimitSet limits = readLimits(in);
            String key = readKey(in);
            int permits = in.readInt();
            check(permits >= 1, "permits", permits);
            attempt.add(new Request(limits, key, permits));
        }
        return attempt;
    }

    static LimitSet readLimits(DataInput in) throws IOException {
        String name = readKey(in);
        int size = in.readUnsignedByte();
        check(size >= 1, "limits", size);
        List<Limit> limits = new ArrayList<>();
        for (int left = size; left > 0; left--) {
            long permits = in.readLong();
            long nanos = in.readLong();
            check(permits >= 0 && permits <= 1L << 62, "permits", permits);
            check(nanos >= 0 && nanos <= 1L << 61, "interval", nanos);
            Duration interval = Duration.ofNanos(nanos);
            limits.add(in.readBoolean() ? Limit.ofCalls(permits, interval) : Limit.of(permits, interval));
        }
        return new LimitSet(name, List.copyOf(limits));
    }

    /** What is read has to be writable: some texts have a form that is shorter than the one that is written. */
    private static String readKey(DataInput in) throws IOException {
        String key = in.readUTF();
        check(key.length() <= LONGEST_KEY, "length", key.length());
        return key;
    }

    private static void check(boolean right, String name, long value) throws StreamCorruptedException {
        if (!right) {
            throw new StreamCorruptedException(name + ": " + value + " (expected: as Attempts writes it)");
        }
    }
}
