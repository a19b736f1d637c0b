package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
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
            assertThat(reader.readVarint("below", Long.MAX_VALUE)).isEqualTo((1L << power) - 1);
            assertThat(reader.readVarint("power", Long.MAX_VALUE)).isEqualTo(1L << power);
        }
        assertThat(reader.readVarint("largest", Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    /** Otherwise the bytes of what follows would be read as part of a block. */
    @Test
    void readVarint_moreThanExpected_illegalState() throws IOException {
        CompactReader reader = new CompactReader(new DataInputStream(new ByteArrayInputStream(new byte[3])), "test");
        reader.expectVarints(2);
        reader.readVarint("first", Long.MAX_VALUE);
        reader.readVarint("second", Long.MAX_VALUE);

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> reader.readVarint("third", Long.MAX_VALUE));
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
            assertThat(reader.readVarint("varint", Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE >>> i % 63);
        }
        assertThat(reader.readLong()).isEqualTo(Long.MIN_VALUE + 0x77);
        assertThat(in.readInt()).isEqualTo(varints);
    }

    /** A varint of each length ends, and is truncated, at each place around the end of the first block. */
    @Test
    void readVarint_acrossTheEndOfABlock_isWhatWasWritten() throws IOException {
        for (int length = 1; length <= 9; length++) {
            for (int varints = 1; varints < 40; varints++) {
                bytes.reset();
                CompactWriter writer = new CompactWriter(new DataOutputStream(bytes), varints);
                long value = -1L >>> Long.SIZE - 7 * length;
                for (int i = 0; i < varints; i++) {
                    writer.writeVarint(value - i % 2);
                }
                writer.flush();

                assertThat(bytes.size()).isEqualTo(varints * length);
                for (int end = 0; end <= bytes.size(); end++) {
                    ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray(), 0, end);
                    CompactReader reader = new CompactReader(new DataInputStream(new Trickle(in)), "test");
                    reader.expectVarints(varints);
                    assertReadsUpTo(end / length, varints, value, reader);
                }
            }
        }
    }

    /** Blocks are read in advance, so the end may be found before the varint that lacks a byte. */
    private static void assertReadsUpTo(int whole, int varints, long value, CompactReader reader) throws IOException {
        int read = 0;
        try {
            for (; read < varints; read++) {
                assertThat(reader.readVarint("varint", Long.MAX_VALUE)).isEqualTo(value - read % 2);
            }
        } catch (EOFException e) {
            assertThat(whole).isLessThan(varints);
        }
        assertThat(read).isLessThanOrEqualTo(whole);
        assertThat(read == varints).isEqualTo(whole == varints);
    }

    private CompactReader reader() {
        return new CompactReader(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), "test");
    }

    /** Gives one byte at a time. */
    private static final class Trickle extends FilterInputStream {
        Trickle(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return super.read(bytes, from, Math.min(length, 1));
        }
    }
}
