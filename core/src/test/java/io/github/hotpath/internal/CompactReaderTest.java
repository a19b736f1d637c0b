package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link CompactWriter} writes, {@link CompactReader} reads. */
class CompactReaderTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Test
    void readVarint_aroundEachPowerOfTwo_isWhatWasWritten() throws IOException {
        CompactWriter writer = new CompactWriter(new DataOutputStream(bytes), 0);
        for (int power = 0; power < 63; power++) {
            writer.writeVarint((1L << power) - 1);
            writer.writeVarint(1L << power);
        }
        writer.writeVarint(Long.MAX_VALUE);
        writer.flush();

        CompactReader reader = reader();
        reader.expectVarints(127);

        for (int power = 0; power < 63; power++) {
            assertThat(reader.readVarint("below")).isEqualTo((1L << power) - 1);
            assertThat(reader.readVarint("power")).isEqualTo(1L << power);
        }
        assertThat(reader.readVarint("largest")).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 0x7F, 0x80, 0x3FFF, 0x4000, Long.MAX_VALUE >>> 7, (Long.MAX_VALUE >>> 7) + 1})
    void writeVarint_any_aByteForEachSevenBits(long value) throws IOException {
        CompactWriter writer = new CompactWriter(new DataOutputStream(bytes), 1);
        writer.writeVarint(value);
        writer.flush();

        int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(value));
        assertThat(bytes.size()).isEqualTo((bits + 6) / 7);
    }

    /** A block is never longer than what certainly follows, so the rest stays in the input. */
    @ParameterizedTest(name = "{0} varints")
    @ValueSource(ints = {1, 2, 3, 100, 1_023, 1_024, 1_025, 5_000})
    void readVarint_any_readsNotAByteMore(int varints) throws IOException {
        DataOutputStream out = new DataOutputStream(bytes);
        CompactWriter writer = new CompactWriter(out, varints);
        for (int i = 0; i < varints; i++) {
            writer.writeVarint(Long.MAX_VALUE >>> i % 63);
        }
        writer.writeLong(Long.MIN_VALUE + 0x77);
        writer.flush();
        out.writeInt(varints);

        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        CompactReader reader = new CompactReader(in, "test");
        reader.expectVarints(varints);

        for (int i = 0; i < varints; i++) {
            assertThat(reader.readVarint("varint")).isEqualTo(Long.MAX_VALUE >>> i % 63);
        }
        assertThat(reader.readLong()).isEqualTo(Long.MIN_VALUE + 0x77);
        assertThat(in.readInt()).isEqualTo(varints);
    }

    private CompactReader reader() {
        return new CompactReader(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), "test");
    }
}
