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
        EventWindow window = EventWindow.of(Duration.ofNanos(reader.readVarint("interval", Long.MAX_VALUE)));
        long events = reader.readVarint("events", Long.MAX_VALUE) - 1;
        if (events >= 0) {
            long latest = reader.readLong() + shiftNanos;
            if (events > 0) {
                readEvents(events, latest, reader, window);
            }
            window.advance(latest);
        }
        return window;
    }

    /** Reads one or more events into {@code window}, which is new. */
    private static void readEvents(long events, long latest, CompactReader reader, EventWindow window)
            throws IOException {
        long unitNanos = reader.readUnit();
        reader.expectVarints(events);
        long left = reader.readVarint("age of the oldest", window.intervalNanos() / unitNanos);
        long time = latest - left * unitNanos;
        window.record(time);
        for (long i = 1; i < events; i++) {
            long distance = reader.readVarint("distance", left);
            left -= distance;
            time += distance * unitNanos;
            window.record(time);
        }
    }
}
