package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Duration;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class EventWindowSerializerTest {
    private static final Duration INTERVAL = Duration.ofSeconds(59).plusMillis(999);

    private final EventWindowSerializer serializer = EventWindowSerializer.INSTANCE;

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
        assertThat(serializer.getLength()).isNegative();
    }

    @Test
    void deserialize_damaged_fails() {
        assertThatIOException()
                .isThrownBy(() -> serializer.deserialize(new DataInputDeserializer(new byte[20])))
                .isInstanceOf(StreamCorruptedException.class);
    }

    @Test
    void snapshot_written_restoresTheSerializer() throws IOException {
        DataOutputSerializer bytes = new DataOutputSerializer(100);
        TypeSerializerSnapshot.writeVersionedSnapshot(bytes, serializer.snapshotConfiguration());
        TypeSerializerSnapshot<EventWindow> read = TypeSerializerSnapshot.readVersionedSnapshot(
                new DataInputDeserializer(bytes.getCopyOfBuffer()), getClass().getClassLoader());

        assertThat(read.restoreSerializer()).isEqualTo(serializer);
        assertThat(serializer
                        .snapshotConfiguration()
                        .resolveSchemaCompatibility(read)
                        .isCompatibleAsIs())
                .isTrue();
    }
}
