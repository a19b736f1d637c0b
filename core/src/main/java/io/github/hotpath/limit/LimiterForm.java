package io.github.hotpath.limit;

import static io.github.hotpath.limit.PermitLog.CALLS;
import static io.github.hotpath.limit.PermitLog.PERMITS;

import io.github.hotpath.internal.CompactReader;
import io.github.hotpath.internal.CompactWriter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The compact form of a {@link SlidingWindowLimiter}; {@code docs/compact-forms.md} has it byte by byte. */
final class LimiterForm {
    /*
     * Columns in which every entry has a one are left out, as they are in the log: most entries are one call for one
     * permit. The others follow the times, so that reading each needs no memory beyond the log itself.
     */

    private static final int KIND = 'L';
    private static final int VERSION = 1;

    /** A per-call limit. */
    private static final int PER_CALL = 1;

    private LimiterForm() {}

    static void write(LimiterState state, DataOutput out) throws IOException {
        CompactWriter writer = new CompactWriter(out, state.times.length);
        writer.writeHeader(KIND, VERSION);
        writer.writeVarint(state.limits.size());
        for (Limit limit : state.limits) {
            writer.writeVarint(limit.isPerCall() ? PER_CALL : 0);
            writer.writeVarint(limit.max());
            writer.writeVarint(limit.interval().toNanos());
        }
        if (state.started) {
            writeStarted(state, writer);
        } else {
            writer.writeVarint(0);
        }
        writer.flush();
    }

    private static void writeStarted(LimiterState state, CompactWriter writer) throws IOException {
        int entries = state.times.length;
        writer.writeVarint(1L + entries);
        writer.writeLong(state.latest);
        writer.writeVarint(state.lastSlot - state.latest);
        if (entries > 0) {
            int columns = columns(state);
            writer.writeVarint(columns);
            writer.writeTimes(state.times, state.lastSlot);
            writeColumns(columns, state, writer);
        }
    }

    /** Returns which columns are written: {@link PermitLog#PERMITS}, {@link PermitLog#CALLS}, their sum, or 0. */
    static int columns(LimiterState state) {
        return (isAllOne(state.permits) ? 0 : PERMITS) + (isAllOne(state.calls) ? 0 : CALLS);
    }

    static void writeColumns(int columns, LimiterState state, CompactWriter writer) throws IOException {
        writeColumn((columns & PERMITS) != 0, state.permits, writer);
        writeColumn((columns & CALLS) != 0, state.calls, writer);
    }

    private static boolean isAllOne(long[] values) {
        for (long value : values) {
            if (value != 1) {
                return false;
            }
        }
        return true;
    }

    private static void writeColumn(boolean present, long[] values, CompactWriter writer) throws IOException {
        if (present) {
            for (long value : values) {
                writer.writeVarint(value - 1);
            }
        }
    }

    static SlidingLog read(DataInput in, long shiftNanos) throws IOException {
        CompactReader reader = new CompactReader(in, "SlidingWindowLimiter");
        reader.readHeader(KIND, VERSION);
        List<Limit> limits = readLimits(reader);
        SlidingLog log = new SlidingLog(limits);
        reader.expectVarints(1);
        long oneAndEntries = reader.readVarint("entries");
        if (oneAndEntries > 0) {
            readStarted(oneAndEntries - 1, reader.readLong() + shiftNanos, reader, log);
        }
        return log;
    }

    private static List<Limit> readLimits(CompactReader reader) throws IOException {
        reader.expectVarints(1);
        long number = reader.readVarint("limits");
        if (number == 0) {
            throw reader.corrupted("limits", number, "one or more");
        }
        List<Limit> limits = new ArrayList<>(1);
        while (limits.size() != number) {
            if (limits.size() == SlidingLog.MAX_LIMITS) {
                throw reader.corrupted("limits", number, "at most " + SlidingLog.MAX_LIMITS);
            }
            limits.add(readLimit(reader));
        }
        return limits;
    }

    private static Limit readLimit(CompactReader reader) throws IOException {
        reader.expectVarints(3);
        long kind = reader.readVarint("kind of limit");
        if (kind > PER_CALL) {
            throw reader.corrupted("kind of limit", kind, "0 or " + PER_CALL);
        }
        long max = reader.readVarint("maximum of a limit");
        if (max > Limit.MOST) {
            throw reader.corrupted("maximum of a limit", max, "at most 2^62");
        }
        long nanos = reader.readVarint("interval");
        if (nanos > Limit.LONGEST_NANOS) {
            throw reader.corrupted("interval", nanos, "at most 2^61");
        }
        Duration interval = Duration.ofNanos(nanos);
        return kind == PER_CALL ? Limit.ofCalls(max, interval) : Limit.of(max, interval);
    }

    /** Reads the time of the last slot, and {@code entries} entries, into a new log. */
    private static void readStarted(long entries, long latest, CompactReader reader, SlidingLog log)
            throws IOException {
        reader.expectVarints(entries > 0 ? 2 : 1);
        long pending = reader.readVarint("delay of the last slot");
        if (pending == Long.MAX_VALUE) {
            throw reader.corrupted("delay of the last slot", pending, "less than " + Long.MAX_VALUE);
        }
        PermitLog grants = entries > 0 ? readEntries(entries, latest, pending, log.limits(), reader) : new PermitLog();
        log.start(grants, latest, latest + pending);
    }

    private static PermitLog readEntries(
            long entries, long latest, long pending, List<Limit> limits, CompactReader reader) throws IOException {
        boolean perCall = countsCalls(limits);
        long columns = reader.readVarint("columns");
        if (columns > (perCall ? PERMITS + CALLS : PERMITS)) {
            throw reader.corrupted("columns", columns, "0 or " + PERMITS + ", up to 3 with a per-call limit");
        }
        reader.setUnit(reader.readByte());
        // An entry that has expired at the last slot may count at the latest time, and is written by then.
        long maxAge = SlidingLog.plus(longestNanos(limits), pending);
        reader.expectVarints(entries);
        PermitLog log = readTimes(entries, latest + pending, maxAge, reader);
        return readColumns((int) columns, entries, reader, log);
    }

    static boolean countsCalls(List<Limit> limits) {
        return limits.stream().anyMatch(Limit::isPerCall);
    }

    /** Returns the longest interval. */
    static long longestNanos(List<Limit> limits) {
        long longest = 0;
        for (Limit limit : limits) {
            longest = Math.max(longest, limit.interval().toNanos());
        }
        return longest;
    }

    /** Returns a log with an entry of one permit for each of {@code entries} times, which have been announced. */
    static PermitLog readTimes(long entries, long lastSlot, long maxAge, CompactReader reader) throws IOException {
        PermitLog log = new PermitLog();
        long time = reader.readOldestTime(lastSlot, maxAge);
        log.append(time, 1, 1);
        for (long i = 1; i < entries; i++) {
            long previous = time;
            time = reader.readNextTime();
            if (time == previous) {
                throw reader.corrupted("distance", 0, "at least 1");
            }
            log.append(time, 1, 1);
        }
        return log;
    }

    /** Returns the log with the columns that follow the times. */
    static PermitLog readColumns(int columns, long entries, CompactReader reader, PermitLog log) throws IOException {
        PermitLog result = (columns & PERMITS) == 0 ? log : readPermits(entries, reader, log);
        return (columns & CALLS) == 0 ? result : readCalls(entries, reader, result);
    }

    /** Returns the log with the permits of each entry. */
    private static PermitLog readPermits(long entries, CompactReader reader, PermitLog log) throws IOException {
        PermitLog result = new PermitLog();
        reader.expectVarints(entries);
        long left = Long.MAX_VALUE - entries;
        while (log.head() != log.tail()) {
            long more = reader.readVarint("permits after the first");
            if (more > left) {
                throw reader.corrupted("permits after the first", more, "at most " + left + ", so that a sum fits");
            }
            left -= more;
            result.append(log.time(log.head()), 1 + more, 1);
            log.removeBefore(log.head() + 1);
        }
        return result;
    }

    /** Returns the log with the calls of each entry. */
    private static PermitLog readCalls(long entries, CompactReader reader, PermitLog log) throws IOException {
        PermitLog result = new PermitLog();
        reader.expectVarints(entries);
        while (log.head() != log.tail()) {
            long permits = log.valueOf(PERMITS, log.head());
            long more = reader.readVarint("calls after the first");
            if (more >= permits) {
                throw reader.corrupted(
                        "calls after the first", more, "at most " + (permits - 1) + ", one for each permit");
            }
            result.append(log.time(log.head()), permits, 1 + more);
            log.removeBefore(log.head() + 1);
        }
        return result;
    }
}
