package io.github.hotpath.examples.fleet;

import io.github.hotpath.limit.Limit;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Attempts of one member that travel together, as they are written into an entry of the log. */
final class Attempts {
    /** Of a key, or the name of a limit: written, a character has up to 3 bytes, and the whole at most 65,535. */
    static final int LONGEST_KEY = 20_000;

    // What an attempt takes at most.
    private static final int PER_REQUEST = 2 + 1 + 2 + 2 + Integer.BYTES;
    private static final int PER_LIMIT = 2 * Long.BYTES + 1;
    private static final int BYTES_PER_CHARACTER = 3;

    private Attempts() {}

    /** A limit, or several, that are known by a name. Another name, or other limits, count by themselves. */
    record LimitSet(String name, List<Limit> limits) {}

    /** What is wanted of a key. An attempt has one or more, all or nothing. */
    record Request(LimitSet limits, String key, int permits) {}

    /** Returns how many bytes an attempt takes at most, with its limits. */
    static int mostBytes(List<Request> attempt) {
        int bytes = 1;
        for (Request request : attempt) {
            LimitSet limits = request.limits;
            bytes += PER_REQUEST + PER_LIMIT * limits.limits.size();
            bytes += BYTES_PER_CHARACTER * (limits.name.length() + request.key.length());
        }
        return bytes;
    }

    /** Writes attempts, each limit once. */
    static void write(List<List<Request>> attempts, DataOutput out) throws IOException {
        Map<LimitSet, Integer> places = new LinkedHashMap<>();
        attempts.forEach(attempt -> attempt.forEach(request -> places.putIfAbsent(request.limits, places.size())));
        out.writeShort(places.size());
        for (LimitSet limits : places.keySet()) {
            writeLimits(limits, out);
        }
        out.writeInt(attempts.size());
        for (List<Request> attempt : attempts) {
            out.writeByte(attempt.size());
            for (Request request : attempt) {
                out.writeShort(places.get(request.limits));
                out.writeUTF(request.key);
                out.writeInt(request.permits);
            }
        }
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
     * Reads attempts.
     *
     * @throws IOException if {@link #write} cannot have written them
     */
    static List<List<Request>> read(DataInput in) throws IOException {
        List<LimitSet> places = new ArrayList<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            places.add(readLimits(in));
        }
        List<List<Request>> attempts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            attempts.add(readAttempt(in, places));
        }
        return attempts;
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

    private static List<Request> readAttempt(DataInput in, List<LimitSet> places) throws IOException {
        List<Request> attempt = new ArrayList<>();
        for (int left = in.readUnsignedByte(); left > 0; left--) {
            int place = in.readUnsignedShort();
            check(place < places.size(), "limits", place);
            String key = readKey(in);
            int permits = in.readInt();
            check(permits >= 1, "permits", permits);
            attempt.add(new Request(places.get(place), key, permits));
        }
        return attempt;
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
