package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.junit.jupiter.api.Test;

/** What members send to each other, and bytes of it that were written once: two versions run at the same time. */
class FleetFormsTest {
    private static final List<Limit> LIMITS =
            List.of(Limit.of(10, Duration.ofMinutes(1)), Limit.ofCalls(5, Duration.ofSeconds(1)));
    private static final long NANOS = 1_795_305_600_000_000_000L;

    private final SerializationContext context = context();

    private static SerializationContext context() {
        SerializationContext context = ProtobufUtil.newSerializationContext();
        new FleetForms().register(context);
        return context;
    }

    private static Attempt attempt() {
        return new Attempt(NANOS, 3, LIMITS, true);
    }

    private static SlidingWindowLimiter limiter() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(LIMITS.toArray(Limit[]::new));
        limiter.tryAcquire(NANOS, 3);
        limiter.tryAcquire(NANOS + 1_000, 1);
        return limiter;
    }

    private byte[] write(Object value) throws IOException {
        return ProtobufUtil.toWrappedByteArray(context, value);
    }

    private Object read(byte[] bytes) throws IOException {
        return ProtobufUtil.fromWrappedByteArray(context, bytes);
    }

    private byte[] stored(String name) throws IOException {
        try (InputStream in = getClass().getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    @Test
    void attempt_read_isAsItWas() throws IOException {
        assertThat(read(write(attempt()))).usingRecursiveComparison().isEqualTo(attempt());
        assertThat(read(stored("attempt-v1.bin"))).usingRecursiveComparison().isEqualTo(attempt());
    }

    @Test
    void limiter_read_isAsItWas() throws IOException {
        for (byte[] bytes : List.of(write(limiter()), stored("limiter-v1.bin"))) {
            SlidingWindowLimiter read = (SlidingWindowLimiter) read(bytes);

            assertThat(read).hasToString(limiter().toString());
            assertThat(read.tryAcquireOrDelay(NANOS + 2_000, 7)).isEqualTo(60_000_000_000L - 2_000 + 1);
            assertThat(read.available(NANOS + 2_000)).isEqualTo(6);
        }
    }

    @Test
    void write_storedValue_givesTheStoredBytes() throws IOException {
        assertThat(write(attempt())).isEqualTo(stored("attempt-v1.bin"));
        assertThat(write(limiter())).isEqualTo(stored("limiter-v1.bin"));
    }

    @Test
    void readClock_read_isAsItWas() throws IOException {
        assertThat(read(write(new ClockCheck.ReadClock("api")))).isEqualTo(new ClockCheck.ReadClock("api"));
    }

    @Test
    void read_laterVersion_isRejectedByName() throws IOException {
        assertThatIOException()
                .isThrownBy(() -> read(withVersion(2, "limiter-v1.bin")))
                .isInstanceOf(StreamCorruptedException.class)
                .withMessage("version of Limiter: 2 (expected: 1)");
        assertThatIOException()
                .isThrownBy(() -> read(withVersion(0, "attempt-v1.bin")))
                .isInstanceOf(StreamCorruptedException.class)
                .withMessage("version of Attempt: 0 (expected: 1)");
    }

    /** Returns stored bytes with another version, which is the first byte of the last field. */
    private byte[] withVersion(int version, String name) throws IOException {
        byte[] bytes = stored(name);
        int field = 0;
        while (bytes[field] != 0x0a || bytes[field + 1] != bytes.length - field - 2) {
            field++;
        }
        bytes[field + 2] = (byte) version;
        return bytes;
    }

    @Test
    void read_truncated_fails() throws IOException {
        byte[] bytes = write(attempt());

        assertThatIOException().isThrownBy(() -> read(Arrays.copyOf(bytes, bytes.length - 1)));
    }

    /** Writes the bytes into a directory. */
    public static void main(String[] args) throws IOException {
        FleetFormsTest forms = new FleetFormsTest();
        Files.write(Path.of(args[0], "attempt-v1.bin"), forms.write(attempt()));
        Files.write(Path.of(args[0], "limiter-v1.bin"), forms.write(limiter()));
    }
}
