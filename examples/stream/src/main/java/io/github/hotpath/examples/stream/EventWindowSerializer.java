package io.github.hotpath.examples.stream;

import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/** Keeps windows in Flink's state, in their compact form, which contains their interval and a version. */
public final class EventWindowSerializer extends TypeSerializerSingleton<EventWindow> {
    static final EventWindowSerializer INSTANCE = new EventWindowSerializer();

    private static final long serialVersionUID = 1;
    private static final int BYTES = 256; // room to begin with

    @Override
    public EventWindow createInstance() {
        return EventWindow.of(Duration.ZERO); // for reuse, and nothing here reuses a window
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
    public TypeSerializerSnapshot<EventWindow> snapshotConfiguration() {
        return new Snapshot();
    }

    /** What is written beside the windows of a checkpoint: the class that reads them. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<EventWindow> {
        /** For Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
