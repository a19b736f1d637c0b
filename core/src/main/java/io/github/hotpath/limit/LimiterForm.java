package io.github.hotpath.limit;

import static io.github.hotpath.limit.PermitLog.CALLS;
import static io.github.hotpath.limit.PermitLog.PERMITS;

import io.github.hotpath.internal.CompactReader;
import io.github.hotpath.internal.CompactWriter;
import io.github.hotpath.internal.TimeUnits;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The compact form of a {@link SlidingWindowLimiter}; {@code docs/compact-forms.md} has it byte by byte. */
final class LimiterForm {
    /*
     * Columns in which every entry has a one are left out, as they are in the log: most entries are one call for one
     * permit. The others follow the times, which are written from the newest to the oldest: most often the newest is at
     * the last slot, and takes a byte.
     */

    private static final int KIND = 'L';
    private static final int VERSION = 1;

    /** A per-call limit. */
    private static final int PER_CALL = 1;

    private LimiterForm() {}

    static void write(LimiterState state, DataOutput out) throws IOException {
        CompactWriter writer = new CompactWriter(out);
        writer.writeHeader(KIND, VERSION);
        writer.writeVarint(state.limits().size());
        for (Limit limit : state.limits()) {
            writer.writeVarint(limit.isPerCall() ? PER_CALL : 0);
            writer.writeVarint(limit.max());
            writer.writeVarint(limit.interval().toNanos());
        }
        if (state.started()) {
            writeStarted(state, writer);
        } else {
            writer.writeVarint(0);
        }
        writer.flush();
    }

    /** Writes what follows the limits, of a limiter that has started. */
    static void writeStarted(LimiterState state, CompactWriter writer) throws IOException {
        int entries = state.times().length;
        writer.writeVarint(1L + entries);
        writer.writeLong(state.latest());
        writer.writeVarint(state.lastSlot() - state.latest());
        if (entries > 0) {
            writer.writeVarint((state.permits() == null ? 0 : PERMITS) + (state.calls() == null ? 0 : CALLS));
            writeTimes(state.times(), state.lastSlot(), writer);
            writeColumn(state.permits(), writer);
            writeColumn(state.calls(), writer);
        }
    }

    private static void writeTimes(long[] times, long lastSlot, CompactWriter writer) throws IOException {
        int unit = TimeUnits.largestOf(times, lastSlot);
        writer.writeByte(unit);
        long next = lastSlot;
        for (int i = times.length - 1; i >= 0; i--) {
            writer.writeVarint(TimeUnits.count(next - times[i], unit));
            next = times[i];
        }
    }

    private static void writeColumn(long @Nullable [] values, CompactWriter writer) throws IOException {
        if (values != null) {
            for (long value : values) {
                writer.writeVarint(value - 1);
            }
        }
    }

    static LimiterState read(DataInput in, long shiftNanos) throws IOException {
        CompactReader reader = new CompactReader(in, "SlidingWindowLimiter");
        reader.readHeader(KIND, VERSION);
        List<Limit> limits = readLimits(reader);
        int entries = (int) reader.readVarint("entries", limits.isEmpty() ? 1 : Integer.MAX_VALUE) - 1;
        return entries < 0
                ? new LimiterState(limits, false, 0, 0, new long[0], null, null)
                : readStarted(entries, limits, new SlidingLog(limits).longestNanos(), shiftNanos, reader);
    }

    /** Reads what follows the number of entries, of which none had expired after {@code longestNanos}. */
    static LimiterState readStarted(
            int entries, List<Limit> limits, long longestNanos, long shiftNanos, CompactReader reader)
            throws IOException {
        long latest = reader.readLong() + shiftNanos;
        long pending = reader.readVarint("delay of the last slot", Long.MAX_VALUE - 1);
        long lastSlot = latest + pending;
        if (entries == 0) {
            return new LimiterState(limits, true, latest, lastSlot, new long[0], null, null);
        }
        int columns = (int) reader.readVarint("columns", PERMITS + CALLS);
        // An entry that has expired at the last slot may count at the latest time, and is written by then.
        long[] times = readTimes(entries, lastSlot, SlidingLog.plus(longestNanos, pending), reader);
        long[] permits = (columns & PERMITS) == 0 ? null : readPermits(entries, reader);
        long[] calls = (columns & CALLS) == 0 ? null : readCalls(entries, permits, reader);
        return new LimiterState(limits, true, latest, lastSlot, times, permits, calls);
    }

    private static List<Limit> readLimits(CompactReader reader) throws IOException {
        int number = (int) reader.readVarint("limits", SlidingLog.MAX_LIMITS);
        List<Limit> limits = new ArrayList<>(1);
        while (limits.size() != number) {
            boolean isPerCall = reader.readVarint("kind of limit", PER_CALL) == PER_CALL;
            long max = reader.readVarint("maximum of a limit", Limit.MOST);
            Duration interval = Duration.ofNanos(reader.readVarint("interval", Limit.LONGEST_NANOS));
            limits.add(isPerCall ? Limit.ofCalls(max, interval) : Limit.of(max, interval));
        }
        return limits;
    }

    /** Reads so many times, none of which is more than {@code maxAge} before the last slot. */
    private static long[] readTimes(int entries, long lastSlot, long maxAge, CompactReader reader) throws IOException {
        long unitNanos = reader.readUnit();
        long[] newestFirst = new long[Math.min(entries, 16)]; // and more as they are read
        long time = lastSlot;
        long left = maxAge / unitNanos;
        reader.expectVarints(entries);
        for (int i = 0; i < entries; i++) {
            if (i == newestFirst.length) {
                newestFirst = Arrays.copyOf(newestFirst, (int) Math.min(entries, 2L * i));
            }
            long distance = reader.readVarint("distance", left);
            if (distance == 0 && i > 0) {
                throw reader.corrupted("distance", 0, "at least 1");
            }
            left -= distance;
            time -= distance * unitNanos;
            newestFirst[i] = time;
        }
        for (int i = 0; i < entries / 2; i++) {
            long newer = newestFirst[i];
            newestFirst[i] = newestFirst[entries - 1 - i];
            newestFirst[entries - 1 - i] = newer;
        }
        return newestFirst;
    }

    private static long[] readPermits(int entries, CompactReader reader) throws IOException {
        long[] permits = new long[entries];
        reader.expectVarints(entries);
        long left = Long.MAX_VALUE - entries; // at most 2^62 count at a time, and there may be pending ones besides
        for (int i = 0; i < entries; i++) {
            long more = reader.readVarint("permits after the first", left);
            left -= more;
            permits[i] = 1 + more;
        }
        return permits;
    }

    private static long[] readCalls(int entries, long @Nullable [] permits, CompactReader reader) throws IOException {
        long[] calls = new long[entries];
        reader.expectVarints(entries);
        for (int i = 0; i < entries; i++) {
            calls[i] = 1 + reader.readVarint("calls after the first", permits == null ? 0 : permits[i] - 1);
        }
        return calls;
    }
}
