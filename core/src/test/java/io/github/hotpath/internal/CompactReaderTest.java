package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link CompactWriter} writes, {@link CompactReader} reads. */
class CompactReaderTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private void write(long... varints) throws IOException {
        CompactWriter writer = new CompactWriter(new DataOutputStream(bytes));
        for (long varint : varints) {
            writer.writeVarint(varint);
        }
        writer.flush();
    }

    private static CompactReader reader(InputStream in) {
        return new CompactReader(new DataInputStream(in), "test");
    }

    @Test
    void writeVarint_aroundEachPowerOfTwo_isReadFromAByteForEachSevenBits() throws IOException {
        for (int power = 0; power < 63; power++) {
            checkVarint((1L << power) - 1);
            checkVarint(1L << power);
        }
        checkVarint(Long.MAX_VALUE);
    }

    private void checkVarint(long value) throws IOException {
        bytes.reset();
        write(value);

        int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(value));
        assertThat(bytes.size()).isEqualTo((bits + 6) / 7);
        assertThat(reader(new ByteArrayInputStream(bytes.toByteArray())).readVarint("any", value))
                .isEqualTo(value);
    }

    @ParameterizedTest(name = "{0} varints")
    @ValueSource(ints = {1, 2, 3, 100, 1_023, 1_024, 1_025, 5_000})
    void readVarint_any_readsNotAByteMore(int varints) throws IOException {
        long[] written = new long[varints];
        Arrays.setAll(written, i -> Long.MAX_VALUE >>> i % 63);
        write(written);
        CompactWriter writer = new CompactWriter(new DataOutputStream(bytes));
        writer.writeLong(Long.MIN_VALUE + 0x77);
        writer.writeByte(varints);
        writer.flush();
        ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray());
        CompactReader reader = reader(in);

        for (long varint : written) {
            assertThat(reader.readVarint("varint", Long.MAX_VALUE)).isEqualTo(varint);
        }
        assertThat(reader.readLong()).isEqualTo(Long.MIN_VALUE + 0x77);
        assertThat(in.read()).isEqualTo(varints & 0xFF);
        assertThat(in.read()).isEqualTo(-1);
    }
}
