package io.github.hotpath.examples.stream;

import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/** Keeps windows of one interval in Flink's state, in their compact form. */
public final class EventWindowSerializer extends TypeSerializer<EventWindow> {
    private static final long serialVersionUID = 1;
    private static final int BYTES = 256; // room to begin with

    private final Duration interval;

    /**
     * Makes a serializer.
     *
     * @param interval of all windows
     */
    public EventWindowSerializer(Duration interval) {
        this.interval = interval;
    }

    @Override
    public EventWindow createInstance() {
        return EventWindow.of(interval);
    }

    @Override
    public void serialize(EventWindow window, DataOutputView target) throws IOException {
        window.writeTo(target);
    }

    @Override
    public EventWindow deserialize(DataInputView source) throws IOException {
        return EventWindow.readFrom(source);
    }

    @Override
    public EventWindow deserialize(EventWindow reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    /** Returns a window of its own: the heap's state is copied while a checkpoint writes the old one. */
    @Override
    public EventWindow copy(EventWindow from) {
        try {
            DataOutputSerializer bytes = new DataOutputSerializer(BYTES);
            serialize(from, bytes);
            return deserialize(new DataInputDeserializer(bytes.wrapAsByteBuffer()));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // in memory, of what was just written
        }
    }

    @Override
    public EventWindow copy(EventWindow from, EventWindow reuse) {
        return copy(from);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public int getLength() {
        return -1; // varies
    }

    @Override
    public EventWindowSerializer duplicate() {
        return this; // has no state
    }

    @Override
    public TypeSerializerSnapshot<EventWindow> snapshotConfiguration() {
        return new Snapshot(interval);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EventWindowSerializer serializer && interval.equals(serializer.interval);
    }

    @Override
    public int hashCode() {
        return interval.hashCode();
    }

    /**
     * What is written beside the windows of a checkpoint. The compact form has a version of its own, so what matters is
     * the interval: the windows of another one do not have the events that are to be counted, and are refused.
     */
    public static final class Snapshot implements TypeSerializerSnapshot<EventWindow> {
        private static final int VERSION = 1;

        private Duration interval;

        /** For Flink, which then calls {@link #readSnapshot}. */
        public Snapshot() {
            this(Duration.ZERO);
        }

        private Snapshot(Duration interval) {
            this.interval = interval;
        }

        @Override
        public int getCurrentVersion() {
            return VERSION;
        }

        @Override
        public void writeSnapshot(DataOutputView out) throws IOException {
            out.writeLong(interval.toNanos());
        }

        @Override
        public void readSnapshot(int version, DataInputView in, ClassLoader loader) throws IOException {
            if (version != VERSION) {
                throw new IOException("version: " + version + " (expected: " + VERSION + ")");
            }
            interval = Duration.ofNanos(in.readLong());
        }

        @Override
        public TypeSerializer<EventWindow> restoreSerializer() {
            return new EventWindowSerializer(interval);
        }

        @Override
        public TypeSerializerSchemaCompatibility<EventWindow> resolveSchemaCompatibility(
                TypeSerializerSnapshot<EventWindow> old) {
            return old instanceof Snapshot snapshot && interval.equals(snapshot.interval)
                    ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                    : TypeSerializerSchemaCompatibility.incompatible();
        }
    }
}
