package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CompleteFileTest {
    private static final byte[] OLD = "old".getBytes(UTF_8);
    private static final byte[] NEW = "new one".getBytes(UTF_8);

    @TempDir
    private Path dir;

    private Path file;

    /** What was forced, in order. */
    private final List<Path> forced = new ArrayList<>();

    @BeforeEach
    void writeOld() throws IOException {
        file = dir.resolve("sub/file");
        CompleteFile.write(file, OLD);
    }

    private void assertOnlyFileIs(byte[] content) {
        assertThat(file.getParent().toFile().list()).containsExactly("file");
        assertThat(file).hasBinaryContent(content);
    }

    @Test
    void write_old_isNew() throws IOException {
        assertOnlyFileIs(OLD);

        CompleteFile.write(file, NEW);

        assertOnlyFileIs(NEW);
    }

    /** Otherwise a power cut could leave the new name without the content, or the old name. */
    @Test
    void write_old_forcesTheContentBeforeTheMoveAndTheDirectoryAfterIt() throws IOException {
        CompleteFile.write(file, NEW, (path, openedFor) -> {
            forced.add(path);
            boolean isMoved = forced.size() == 3;
            assertThat(file).hasBinaryContent(isMoved ? NEW : OLD);
            if (forced.size() == 2) {
                assertThat(path).hasParentRaw(file.getParent()).hasBinaryContent(NEW);
            } else {
                assertThat(path).isEqualTo(file.getParent());
            }
        });

        assertThat(forced).hasSize(3);
    }

    /** As the JDK's recorder saw it. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "which opens no directory")
    void write_realDisk_forced(@TempDir Path records) throws IOException {
        Path recorded = records.resolve("forces.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            CompleteFile.write(file, NEW);
            recording.stop();
            recording.dump(recorded);
        }

        assertThat(RecordingFile.readAllEvents(recorded).stream()
                        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                        .map(event -> Path.of(event.getString("path"))))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo(file.getParent()),
                        second -> assertThat(second).hasParentRaw(file.getParent()),
                        third -> assertThat(third).isEqualTo(file.getParent()));
    }

    /** As on CIFS, in the words of the system's language. */
    @Test
    void write_systemForcesNoDirectory_written() throws IOException {
        CompleteFile.write(file, NEW, (path, openedFor) -> {
            forced.add(path);
            if (Files.isDirectory(path)) {
                throw new IOException("Ungültiges Argument");
            }
        });

        assertOnlyFileIs(NEW);
        assertThat(forced).hasSize(2);
    }

    @Test
    void write_diskFailsToForceTheMove_told() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> CompleteFile.write(file, NEW, (path, openedFor) -> {
                    forced.add(path);
                    if (forced.size() == 3) {
                        throw new IOException("Input/output error");
                    }
                }))
                .withMessage("Input/output error");

        assertOnlyFileIs(NEW);
    }

    @Test
    void write_diskFailsToForceTheContent_toldAndTheOldOneStays() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> CompleteFile.write(file, NEW, (path, openedFor) -> {
                    if (!Files.isDirectory(path)) {
                        throw new IOException("No space left on device");
                    }
                }))
                .withMessage("No space left on device");

        assertOnlyFileIs(OLD);
    }

    /** As by {@code shutdownNow} at the end of a program, whose last state would be lost. */
    @Test
    void write_interruptedBefore_writtenAndStaysInterrupted() throws IOException {
        Thread.currentThread().interrupt();

        CompleteFile.write(file, NEW);

        assertThat(Thread.interrupted()).isTrue();
        assertOnlyFileIs(NEW);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "which opens no directory")
    void write_interruptedAtAnyMoment_writtenAndStaysInterrupted() throws IOException {
        for (int moment = 1; moment <= 3; moment++) {
            CompleteFile.write(file, OLD);
            forced.clear();
            int interrupted = moment;

            CompleteFile.write(file, NEW, (path, openedFor) -> {
                forced.add(path);
                try (FileChannel channel = FileChannel.open(path, openedFor)) {
                    if (forced.size() == interrupted) {
                        Thread.currentThread().interrupt(); // the channel closes itself, and throws
                    }
                    channel.force(true);
                }
            });

            assertThat(Thread.interrupted()).isTrue();
            assertThat(forced).hasSize(moment + 3);
            assertOnlyFileIs(NEW);
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "which makes links for administrators only")
    void write_symbolicLink_isReplacedAndItsTargetStays() throws IOException {
        Path target = Files.write(dir.resolve("target"), OLD);
        Path link = Files.createSymbolicLink(dir.resolve("link"), target);

        CompleteFile.write(link, NEW);

        assertThat(link).isRegularFile().isNotEqualTo(target).hasBinaryContent(NEW);
        assertThat(Files.isSymbolicLink(link)).isFalse();
        assertThat(target).hasBinaryContent(OLD);
    }

    @Test
    void write_directoryInItsPlace_failsAndNothingElseIsLeft() throws IOException {
        Path taken = Files.createDirectory(dir.resolve("taken"));

        assertThatExceptionOfType(FileSystemException.class).isThrownBy(() -> CompleteFile.write(taken, NEW));

        assertThat(taken).isEmptyDirectory();
        assertThat(dir.toFile().list()).containsExactlyInAnyOrder("sub", "taken");
    }

    @Test
    void write_fileInPlaceOfTheDirectory_told() {
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> CompleteFile.write(file.resolve("below"), NEW))
                .isNotInstanceOf(FileAlreadyExistsException.class);

        assertOnlyFileIs(OLD);
    }
}
