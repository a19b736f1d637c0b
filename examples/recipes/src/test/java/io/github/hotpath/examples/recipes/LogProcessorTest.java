package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** On the real file system, and on Linux and Windows in memory. The lines are older than any of this machine's clock. */
@ParameterizedClass
@EnumSource
class LogProcessorTest {
    enum Place {
        REAL,
        LINUX,
        WINDOWS
    }

    @Parameter
    private Place place;

    @TempDir
    private Path temp;

    private final FileSystem linux = Jimfs.newFileSystem(Configuration.unix());
    private final FileSystem windows = Jimfs.newFileSystem(Configuration.windows());
    private Path out;

    @BeforeEach
    void choosePlace() {
        out = switch (place) {
            case REAL -> temp.resolve("out");
            case LINUX -> linux.getPath("/logs/out");
            case WINDOWS -> windows.getPath("C:\\logs\\out");
        };
    }

    @AfterEach
    void close() throws IOException {
        linux.close();
        windows.close();
    }

    private String process(String... lines) throws IOException {
        try (LogProcessor processor = new LogProcessor(out)) {
            return process(processor, lines);
        }
    }

    private static String process(LogProcessor processor, String... lines) throws IOException {
        processor.process(new ByteArrayInputStream(String.join("\n", lines).getBytes(UTF_8)));
        return processor.toString();
    }

    private Path file(String hour) {
        return out.resolve(hour).resolve("app.log");
    }

    @Test
    void process_linesOfTwoHours_aFileForEach() throws IOException {
        process("2026-11-24T12:00:00Z one", "2026-11-24T12:59:59.999999999Z two", "2026-11-24T14:00:00+01:00 three");

        assertThat(Files.readAllLines(file("2026/11/24/12")))
                .containsExactly("2026-11-24T12:00:00Z one", "2026-11-24T12:59:59.999999999Z two");
        assertThat(Files.readAllLines(file("2026/11/24/13"))).containsExactly("2026-11-24T14:00:00+01:00 three");
    }

    /** A line of the hour before is out of order, but in the window. */
    @Test
    void process_anyOrder_countsByTheTimesOfTheLines() throws IOException {
        String found = process(
                "2026-11-24T12:59:00Z",
                "2026-11-24T12:59:30.0000004Z",
                "2026-11-24T13:00:00Z",
                "2026-11-24T12:59:29.5Z late",
                "2026-11-24T13:00:00.000000001Z");

        assertThat(found).isEqualTo("busiest minute: 4, busiest second: 2, too late to count: 0");
        assertThat(file("2026/11/24/12")).content().endsWith("Z late\n");
        assertThat(Files.readAllLines(file("2026/11/24/13"))).hasSize(2);
    }

    /** A window closed at both ends would hold both of two seconds, and the lines of 61. */
    @Test
    void process_wholeSeconds_aSecondIsOneAndAMinuteSixty() throws IOException {
        String found = process(
                "2026-11-24T12:00:00Z",
                "2026-11-24T12:00:00Z",
                "2026-11-24T12:00:01Z",
                "2026-11-24T12:00:01Z",
                "2026-11-24T12:00:01Z",
                "2026-11-24T12:01:00Z");

        assertThat(found).isEqualTo("busiest minute: 5, busiest second: 3, too late to count: 0");
    }

    /** So the busiest second may be busier than what was found. */
    @Test
    void process_lateLines_countAtTheLatestLine() throws IOException {
        String found = process(
                "2026-11-24T12:01:20Z",
                "2026-11-24T12:01:10Z late",
                "2026-11-24T12:01:10Z late",
                "2026-11-24T12:00:20.000000001Z late",
                "2026-11-24T12:00:20Z too late");

        assertThat(found).isEqualTo("busiest minute: 4, busiest second: 1, too late to count: 1");
    }

    /** Without the number, one wrong time would make all counts too small, and nobody would know. */
    @Test
    void process_oneTimeOfTheFuture_othersAreToldAsLate() throws IOException {
        String found = process("2099-01-01T00:00:00Z", "2026-11-24T12:00:00Z", "2026-11-24T12:00:00Z");

        assertThat(found).isEqualTo("busiest minute: 1, busiest second: 1, too late to count: 2");
        assertThat(Files.readAllLines(file("2026/11/24/12"))).hasSize(2);
    }

    @Test
    void process_stackTrace_staysWithItsLineAndIsNotCounted() throws IOException {
        String found = process("2026-11-24T12:00:00Z failed", "java.io.IOException", "", "\tat a.b", "9 more");

        assertThat(found).startsWith("busiest minute: 1,");
        assertThat(Files.readAllLines(file("2026/11/24/12")))
                .hasSize(5)
                .endsWith("java.io.IOException", "", "\tat a.b", "9 more");
    }

    @Test
    void process_firstLineWithoutTime_told() {
        assertThatIOException()
                .isThrownBy(() -> process("24/Nov/2026 12:00:00 one"))
                .withMessage("no time at the beginning of the first line: 24/Nov/2026 12:00:00 one");
    }

    @Test
    void process_twoLogsInAnyEncoding_appendedAsTheyAre() throws IOException {
        byte[] line = {
            '2',
            '0',
            '2',
            '6',
            '-',
            '1',
            '1',
            '-',
            '2',
            '4',
            'T',
            '1',
            '2',
            ':',
            '0',
            '0',
            ':',
            '0',
            '0',
            'Z',
            ' ',
            (byte) 0xFC,
            (byte) 0xFF,
            '\n'
        }; // no UTF-8
        try (LogProcessor processor = new LogProcessor(out)) {
            processor.process(new ByteArrayInputStream(line));
        }

        process("2026-11-24T12:00:01Z \u00FC\u2028\u20AC");

        assertThat(Files.readAllBytes(file("2026/11/24/12")))
                .startsWith(line)
                .endsWith("2026-11-24T12:00:01Z \u00FC\u2028\u20AC\n".getBytes(UTF_8));
    }

    @Test
    void process_directoryDeletedBeforeTheNextHour_madeAgain() throws IOException {
        try (LogProcessor processor = new LogProcessor(out)) {
            process(processor, "2026-11-24T12:00:00Z one");
            if (place != Place.WINDOWS) { // which does not delete what is open
                MoreFiles.deleteRecursively(out, RecursiveDeleteOption.ALLOW_INSECURE);
            }

            process(processor, "2026-11-24T13:00:00Z two");
        }

        assertThat(Files.readAllLines(file("2026/11/24/13"))).containsExactly("2026-11-24T13:00:00Z two");
    }

    @Test
    void new_fileInPlaceOfTheDirectory_toldBeforeTheFirstLine() throws IOException {
        Files.createDirectories(out.getParent());
        Files.writeString(out, "text");

        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> new LogProcessor(out))
                .withMessage(out.toString());
    }
}
