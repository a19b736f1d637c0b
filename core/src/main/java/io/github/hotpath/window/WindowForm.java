package io.github.hotpath.window;

import io.github.hotpath.internal.CompactReader;
import io.github.hotpath.internal.CompactWriter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;

/** The compact form of an {@link EventWindow}; {@code docs/compact-forms.md} has it byte by byte. */
final class WindowForm {
    private static final int KIND = 'W';
    private static final int VERSION = 1;

    private WindowForm() {}

    static void write(EventWindow window, DataOutput out) throws IOException {
        long[] times = window.toArray();
        CompactWriter writer = new CompactWriter(out, times.length);
        writer.writeHeader(KIND, VERSION);
        writer.writeVarint(window.intervalNanos());
        if (window.isStarted()) {
            writer.writeVarint(1L + times.length);
            writer.writeLong(window.latest());
            if (times.length > 0) {
                writer.writeTimes(times, window.latest());
            }
        } else {
            writer.writeVarint(0);
        }
        writer.flush();
    }

    static EventWindow read(DataInput in, long shiftNanos) throws IOException {
        CompactReader reader = new CompactReader(in, "EventWindow");
        reader.readHeader(KIND, VERSION);
        reader.expectVarints(2);
        EventWindow window = EventWindow.of(Duration.ofNanos(reader.readVarint("interval")));
        long oneAndEvents = reader.readVarint("events");
        if (oneAndEvents > 0) {
            readEvents(oneAndEvents - 1, reader.readLong() + shiftNanos, reader, window);
        }
        return window;
    }

    /** Reads {@code events} events into {@code window}, which is new. */
    private static void readEvents(long events, long latest, CompactReader reader, EventWindow window)
            throws IOException {
        if (events > 0) {
            long oldest = reader.readOldestTime(events, latest, window.intervalNanos());
            // each event has a byte at least, so the room is bounded by the bytes that have been read
            window.log().reserve((int) Math.min(events, reader.buffered()));
            window.record(oldest);
            for (long left = events - 1; left > 0; ) {
                left -= readSome(left, reader, window);
            }
        }
        window.advance(latest);
    }

    /**
     * Reads events into the room behind the newest one, at most {@code most} of them, or one if there is no room, and
     * returns how many. To record each by itself would take most of the time.
     */
    private static int readSome(long most, CompactReader reader, EventWindow window) throws IOException {
        EventLog log = window.log();
        long[] chunk = log.lastChunk();
        int from = log.tail();
        int to = (int) Math.min(chunk.length, from + most);
        if (from == to) {
            window.record(reader.readNextTime());
            return 1;
        }
        reader.readNextTimes(chunk, from, to);
        log.extend(to);
        return to - from;
    }
}
