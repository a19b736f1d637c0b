package io.github.hotpath.examples.recipes;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFileTest {
    private static final byte[] OLD = {1};
    private static final byte[] NEW = {2, 3};

    @TempDir
    private Path dir;

    private Path path;

    /** How long each wait was asked to be. */
    private final List<Long> pauses = new ArrayList<>();

    @BeforeEach
    void writeOld() throws IOException {
        path = dir.resolve("sub/file");
        new DurableFile(path).replace(OLD);
    }

    /** As on Windows, while another process reads the file. */
    private DurableFile denied(int times) {
        return new DurableFile(
                path,
                (from, to) -> {
                    assertThat(Files.readAllBytes(from))
                            .as("complete when it is moved")
                            .isEqualTo(NEW);
                    if (pauses.size() < times) {
                        throw new AccessDeniedException(to.toString());
                    }
                    Files.move(from, to, ATOMIC_MOVE);
                },
                pauses::add);
    }

    private void assertOnlyFileIs(byte[] content) throws IOException {
        assertThat(path.getParent().toFile().list()).containsExactly("file");
        assertThat(Files.readAllBytes(path)).isEqualTo(content);
    }

    @Test
    void replace_old_isNew() throws IOException {
        assertOnlyFileIs(OLD);

        new DurableFile(path).replace(NEW);

        assertOnlyFileIs(NEW);
    }

    /**
     * Otherwise a power cut could leave the new name without the content, or the old name. As the JDK's recorder saw
     * it.
     */
    @Test
    void replace_old_forcesTheContentBeforeTheMoveAndTheDirectoryAfterIt(@TempDir Path records) throws Exception {
        Path recorded = records.resolve("forces.jfr");
        List<String> temporary = new ArrayList<>();
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.enable(Moved.class);
            recording.start();
            new DurableFile(
                            path,
                            (from, to) -> {
                                temporary.add(from.toString());
                                new Moved().commit();
                                Files.move(from, to, ATOMIC_MOVE);
                            },
                            pauses::add)
                    .replace(NEW);
            recording.stop();
            recording.dump(recorded);
        }
        assertThat(RecordingFile.readAllEvents(recorded).stream()
                        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                        .map(event -> event.hasField("path") ? event.getString("path") : "moved"))
                .containsExactly(temporary.get(0), "moved", path.getParent().toString());
    }

    private static final class Moved extends Event {}

    @Test
    void replace_deniedForAWhile_triesAgain() throws IOException {
        denied(39).replace(NEW);

        assertOnlyFileIs(NEW);
        assertThat(pauses).hasSize(39).allMatch(nanos -> nanos == 50_000_000);
    }

    @Test
    void replace_deniedForLonger_givesUpAndTheOldOneStays() throws IOException {
        assertThatExceptionOfType(AccessDeniedException.class)
                .isThrownBy(() -> denied(40).replace(NEW));

        assertOnlyFileIs(OLD);
        assertThat(pauses).hasSize(39);
    }

    @Test
    void deleteLeftovers_newFilesOfAKilledProcess_areDeletedAndNoOthers() throws IOException {
        Files.write(path.resolveSibling("file.123.tmp"), NEW);
        Files.write(path.resolveSibling("file.damaged"), NEW);
        Files.write(path.resolveSibling("file.v2.123.tmp"), NEW); // of "file.v2", which is being written
        Files.write(path.resolveSibling("other.123.tmp"), NEW);

        new DurableFile(path).deleteLeftovers();

        assertThat(path.getParent().toFile().list())
                .containsExactlyInAnyOrder("file", "file.damaged", "file.v2.123.tmp", "other.123.tmp");
    }

    @Test
    void replace_otherFailure_isNotRepeated() throws IOException {
        AtomicMoveNotSupportedException failure = new AtomicMoveNotSupportedException("a", "b", "no");
        DurableFile file = new DurableFile(
                path,
                (from, to) -> {
                    throw failure;
                },
                pauses::add);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> file.replace(NEW))
                .isSameAs(failure);
        assertOnlyFileIs(OLD);
        assertThat(pauses).isEmpty();
    }

    @Test
    void replace_interruptedWhileItWaits_endsAndStaysInterrupted() throws IOException {
        DurableFile file = new DurableFile(
                path,
                (from, to) -> {
                    throw new AccessDeniedException(to.toString());
                },
                nanos -> {
                    throw new InterruptedException();
                });

        assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> file.replace(NEW));

        assertThat(Thread.interrupted()).isTrue();
        assertOnlyFileIs(OLD);
    }
}
