package io.github.hotpath.examples.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFileTest {
    private static final List<String> LINES =
            IntStream.range(0, 500).mapToObj(i -> "line " + i * i).toList();
    private static final String TEXT = LINES.stream().map(line -> line + "\n").collect(Collectors.joining());

    @TempDir
    private Path dir;

    static byte[] compressed(String compression, String text) throws IOException, CompressorException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new CompressorStreamFactory().createCompressorOutputStream(compression, bytes)) {
            out.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    private static List<String> read(LogFile log) throws IOException {
        List<String> lines = new ArrayList<>();
        try (log) {
            for (String line = log.next(); line != null; line = log.next()) {
                lines.add(line);
            }
        }
        return lines;
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(dir.resolve("log"), bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gz", "bzip2", "xz"})
    void next_compressed_areTheLines(String compression) throws IOException, CompressorException {
        byte[] bytes = compressed(compression, TEXT);
        LogFile log = LogFile.open(file(bytes));

        assertThat(read(log)).isEqualTo(LINES);
        assertThat(read(new LogFile("standard input", new ByteArrayInputStream(bytes))))
                .isEqualTo(LINES);
    }

    @Test
    void next_severalMembers_areAllRead() throws IOException, CompressorException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        for (String line : LINES) {
            members.write(compressed("gz", line + "\n"));
        }

        assertThat(read(LogFile.open(file(members.toByteArray())))).isEqualTo(LINES);
        assertThat(read(new LogFile("standard input", new ByteArrayInputStream(members.toByteArray()))))
                .isEqualTo(LINES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gz", "bzip2", "xz"})
    void next_cutAnywhere_fails(String compression) throws IOException, CompressorException {
        byte[] bytes = compressed(compression, TEXT);

        for (int length = 12; length < bytes.length; length += length < bytes.length - 40 ? 17 : 1) {
            Path file = file(Arrays.copyOf(bytes, length));

            assertThatThrownBy(() -> read(LogFile.open(file)))
                    .as("%d of %d bytes", length, bytes.length)
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessageMatching(
                            ".*log: ends within its " + compression + " data, or is damaged, after line \\d+ \\(.*\\)");
        }
    }

    @Test
    void next_garbageAfterTheEnd_fails() throws IOException, CompressorException {
        byte[] bytes = compressed("gz", "a\n");
        byte[] more = Arrays.copyOf(bytes, bytes.length + 20);

        assertThatThrownBy(() -> read(LogFile.open(file(more))))
                .hasMessageContaining("ends within its gz data, or is damaged");
    }

    @Test
    void open_otherCompression_saysWhatToDo() throws IOException {
        Path file = file(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0});

        assertThatThrownBy(() -> LogFile.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith(
                        "log: compressed as zstd, which this does not read: decompress it and pipe the lines to"
                                + " standard input");
    }

    @Test
    void open_directory_fails() {
        assertThatThrownBy(() -> LogFile.open(dir))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(dir.toString());
    }

    @Test
    void next_byteOrderMark_isNoPartOfTheFirstLine() throws IOException {
        assertThat(read(LogFile.open(file("\uFEFFa\n\uFEFFb\n".getBytes(UTF_8)))))
                .containsExactly("a", "\uFEFFb");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void next_utf16_areTheLines(String charset) throws IOException {
        assertThat(read(LogFile.open(file("\uFEFFa\u0142\r\nb\r\n".getBytes(Charset.forName(charset))))))
                .containsExactly("a\u0142", "b");
    }

    @Test
    void next_lineEnds_areNoPartOfLines() throws IOException {
        assertThat(read(LogFile.open(file("a\r\n\r\nb\rc\nd\r".getBytes(UTF_8)))))
                .containsExactly("a", "", "b\rc", "d");
    }

    @Test
    void next_longLine_isCut() throws IOException {
        String longest = "x".repeat(LogFile.LONGEST);

        assertThat(read(LogFile.open(file((longest + "\n" + longest + "yz\nb").getBytes(UTF_8)))))
                .containsExactly(longest, longest + "y", "b");
    }

    @Test
    void next_shortFiles_areRead() throws IOException {
        for (int length = 0; length < 20; length++) {
            String text = "x".repeat(length);

            assertThat(read(LogFile.open(file(text.getBytes(UTF_8)))))
                    .isEqualTo(length == 0 ? List.of() : List.of(text));
        }
    }
}
