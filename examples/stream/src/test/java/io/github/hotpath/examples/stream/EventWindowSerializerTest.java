package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.HexFormat;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class EventWindowSerializerTest {
    private static final Duration INTERVAL = Duration.ofSeconds(59).plusMillis(999);

    /** Version 1, as it was written once: the class, its version, and the interval. */
    private static final byte[] STORED_SNAPSHOT = HexFormat.of()
            .parseHex("0040"
                    + "696f2e6769746875622e686f74706174682e6578616d706c65732e73747265616d"
                    + "2e4576656e7457696e646f7753657269616c697a657224536e617073686f74"
                    + "00000001"
                    + "0000000df83815c0");

    private final EventWindowSerializer serializer = new EventWindowSerializer(INTERVAL);

    private static EventWindow window(long... times) {
        EventWindow window = EventWindow.of(INTERVAL);
        for (long time : times) {
            window.record(time);
        }
        return window;
    }

    @Test
    void deserialize_anyWindow_isAsItWas() throws IOException {
        DataOutputSerializer bytes = new DataOutputSerializer(10);
        serializer.serialize(window(5, 3, 9), bytes);
        serializer.serialize(window(), bytes);
        DataOutputSerializer copied = new DataOutputSerializer(10);
        DataInputDeserializer in = new DataInputDeserializer(bytes.getCopyOfBuffer());
        serializer.copy(in, copied);
        serializer.copy(in, copied);

        assertThat(copied.getCopyOfBuffer()).isEqualTo(bytes.getCopyOfBuffer());
        DataInputDeserializer read = new DataInputDeserializer(bytes.getCopyOfBuffer());
        assertThat(serializer.deserialize(read).toArray()).containsExactly(3, 5, 9);
        assertThat(serializer.deserialize(window(1), read).toArray()).isEmpty();
        assertThat(read.available()).isZero();
    }

    @Test
    void copy_window_isAnotherOneAndTheSame() {
        EventWindow window = window(5, 3, 9);

        EventWindow copy = serializer.copy(window);
        EventWindow reused = serializer.copy(window, window(1));
        window.record(10);

        assertThat(copy.toArray()).containsExactly(3, 5, 9);
        assertThat(reused.toArray()).containsExactly(3, 5, 9);
        assertThat(copy.interval()).isEqualTo(INTERVAL);
        assertThat(serializer.isImmutableType()).isFalse();
        assertThat(serializer.createInstance().interval()).isEqualTo(INTERVAL);
        assertThat(serializer.getLength()).isNegative();
    }

    @Test
    void deserialize_damaged_fails() {
        assertThatIOException()
                .isThrownBy(() -> serializer.deserialize(new DataInputDeserializer(new byte[20])))
                .isInstanceOf(StreamCorruptedException.class);
    }

    @Test
    void snapshot_stored_isReadAndWritten() throws IOException {
        TypeSerializerSnapshot<EventWindow> stored = read(STORED_SNAPSHOT);

        assertThat(stored.restoreSerializer()).isEqualTo(serializer).hasSameHashCodeAs(serializer);
        assertThat(serializer
                        .snapshotConfiguration()
                        .resolveSchemaCompatibility(stored)
                        .isCompatibleAsIs())
                .isTrue();
        assertThat(write(serializer)).isEqualTo(STORED_SNAPSHOT);
    }

    /** Its windows do not have all events that would have to be counted, or more. */
    @Test
    void snapshot_otherInterval_isIncompatible() throws IOException {
        TypeSerializer<EventWindow> other = new EventWindowSerializer(INTERVAL.plusMillis(1));

        assertThat(other.snapshotConfiguration()
                        .resolveSchemaCompatibility(read(write(serializer)))
                        .isIncompatible())
                .isTrue();
        assertThat(other).isNotEqualTo(serializer).isNotEqualTo("other");
    }

    @Test
    void snapshot_laterVersion_fails() {
        assertThatIOException()
                .isThrownBy(() -> new EventWindowSerializer.Snapshot()
                        .readSnapshot(
                                2,
                                new DataInputDeserializer(new byte[8]),
                                getClass().getClassLoader()))
                .withMessage("version: 2 (expected: 1)");
    }

    private static byte[] write(TypeSerializer<EventWindow> serializer) throws IOException {
        DataOutputSerializer bytes = new DataOutputSerializer(100);
        TypeSerializerSnapshot.writeVersionedSnapshot(bytes, serializer.snapshotConfiguration());
        return bytes.getCopyOfBuffer();
    }

    private static TypeSerializerSnapshot<EventWindow> read(byte[] bytes) throws IOException {
        return TypeSerializerSnapshot.readVersionedSnapshot(
                new DataInputDeserializer(bytes), EventWindowSerializerTest.class.getClassLoader());
    }
}
