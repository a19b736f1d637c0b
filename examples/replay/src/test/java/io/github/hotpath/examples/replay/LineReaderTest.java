package io.github.hotpath.examples.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {
    private static List<String> read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        try (LineReader reader = new LineReader(in)) {
            for (String line = reader.next(); line != null; line = reader.next()) {
                lines.add(line);
            }
            assertThat(reader.next()).isNull();
        }
        return lines;
    }

    private static List<String> read(String text) throws IOException {
        return read(new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    @Test
    void next_ends_areNoPartOfALine() throws IOException {
        assertThat(read("")).isEmpty();
        assertThat(read("\n")).containsExactly("");
        assertThat(read("a\r\n\r\nb\rc\n\nd")).containsExactly("a", "", "b\rc", "", "d");
        assertThat(read("ä€😀\n")).containsExactly("ä€😀");
    }

    @ParameterizedTest
    @CsvSource({"65535,65535", "65536,65536", "65537,65537", "65538,65537", "300000,65537", "900000,65537"})
    void next_longLine_isCutWhereItIsTooLong(int length, int kept) throws IOException {
        assertThat(read("a\n" + "ä".repeat(length / 2) + "x".repeat(length % 2) + "\nb\n"))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("a"),
                        cut -> assertThat(cut.length() > LineReader.LONGEST).isEqualTo(length > LineReader.LONGEST),
                        last -> assertThat(last).isEqualTo("b"));
        assertThat(read("x".repeat(length)))
                .singleElement()
                .satisfies(line -> assertThat(line).hasSize(kept));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1000, 150_000})
    void next_randomLines_areThoseOfASplit(int longest) throws IOException {
        long seed = Long.getLong("hotpath.seed", 7) + longest;
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String line = Character.toString('a' + i % 26).repeat(random.nextInt(longest));
            text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
            expected.add(line.length() > LineReader.LONGEST ? line.substring(0, LineReader.LONGEST + 1) : line);
        }
        byte[] bytes = text.toString().getBytes(UTF_8);

        assertThat(read(new ByteArrayInputStream(bytes) {
                    @Override
                    public synchronized int read(byte[] buffer, int offset, int length) {
                        return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(20_000)));
                    }
                }))
                .as("seed %d", seed)
                .isEqualTo(expected);
    }
}
