package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
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

    private static CompactReader reader(InputStream in, int varints) {
        CompactReader reader = new CompactReader(new DataInputStream(in), "test");
        reader.expectVarints(varints);
        return reader;
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
        assertThat(reader(new ByteArrayInputStream(bytes.toByteArray()), 1).readVarint("any", value))
                .isEqualTo(value);
    }

    /** A block is never longer than what certainly follows, so the rest stays in the input. */
    @ParameterizedTest(name = "{0} varints")
    @ValueSource(ints = {1, 2, 3, 100, 511, 512, 513, 5_000})
    void readVarint_any_readsNotAByteMore(int varints) throws IOException {
        long[] written = new long[varints];
        Arrays.setAll(written, i -> Long.MAX_VALUE >>> i % 63);
        write(written);
        CompactWriter writer = new CompactWriter(new DataOutputStream(bytes));
        writer.writeVarint(300);
        writer.writeLong(Long.MIN_VALUE + 0x77);
        writer.writeByte(varints);
        writer.flush();
        ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray());
        CompactReader reader = reader(in, varints);

        for (long varint : written) {
            assertThat(reader.readVarint("varint", Long.MAX_VALUE)).isEqualTo(varint);
        }
        assertThat(reader.readVarint("one that was not announced", 300)).isEqualTo(300);
        assertThat(reader.readLong()).isEqualTo(Long.MIN_VALUE + 0x77);
        assertThat(in.read()).isEqualTo(varints & 0xFF);
        assertThat(in.read()).isEqualTo(-1);
    }

    /** A varint of each length ends, and is truncated, at each place around the end of the first block. */
    @Test
    void readVarint_acrossTheEndOfABlock_isWhatWasWritten() throws IOException {
        for (int length = 1; length <= 9; length++) {
            for (int varints = 1; varints < 40; varints++) {
                bytes.reset();
                long[] written = new long[varints];
                long most = -1L >>> Long.SIZE - 7 * length;
                Arrays.setAll(written, i -> most - i % 2);
                write(written);

                for (int end = 0; end <= bytes.size(); end++) {
                    InputStream in = new ByteArrayInputStream(bytes.toByteArray(), 0, end);
                    assertReadsUpTo(end / length, written, reader(in, varints));
                }
            }
        }
    }

    /** Blocks are read in advance, so the end may be found before the varint that lacks a byte. */
    private static void assertReadsUpTo(int whole, long[] written, CompactReader reader) throws IOException {
        int read = 0;
        try {
            for (; read < written.length; read++) {
                assertThat(reader.readVarint("varint", Long.MAX_VALUE)).isEqualTo(written[read]);
            }
        } catch (EOFException e) {
            assertThat(whole).isLessThan(written.length);
        }
        assertThat(read).isLessThanOrEqualTo(whole);
        assertThat(read == written.length).isEqualTo(whole == written.length);
    }
}
