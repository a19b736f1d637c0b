package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    @TempDir
    private Path dir;

    private final FakeClock clock = new FakeClock();

    /** The clock stands still, and is even set back. */
    @Test
    void read_many_inTheOrderOfPut() throws IOException {
        Spool spool = new Spool(dir, clock);
        List<String> put = IntStream.range(0, 200).mapToObj(i -> "message " + i).toList();
        for (String message : put) {
            spool.put(message.getBytes(UTF_8));
            clock.advance(Duration.ofNanos(-1));
        }

        assertThat(read(spool)).isEqualTo(put);
        assertThat(read(spool)).isEmpty();
    }

    /** One of them where digits come after all others. */
    @Test
    void read_severalWriters_oldestFirst() throws IOException {
        Spool first = new Spool(dir, clock);
        Spool second = new Spool(dir, clock);
        Locale before = Locale.getDefault();
        try {
            for (int i = 0; i < 6; i++) {
                Locale.setDefault(i % 2 == 0 ? Locale.forLanguageTag("ar-EG") : Locale.ROOT);
                (i % 2 == 0 ? first : second).put(new byte[] {(byte) ('a' + i)});
                clock.advance(Duration.ofMillis(1));
            }
        } finally {
            Locale.setDefault(before);
        }

        assertThat(read(new Spool(dir, clock))).containsExactly("a", "b", "c", "d", "e", "f");
    }

    @Test
    void read_messageBeingWritten_notSeen() throws IOException {
        Files.createDirectories(dir.resolve("tmp"));
        Files.writeString(dir.resolve("tmp/0"), "incompl");

        assertThat(read(new Spool(dir, clock))).isEmpty();
    }

    @Test
    void read_readerFails_messageAndThoseAfterItStay() throws IOException {
        Spool spool = new Spool(dir, clock);
        for (String message : List.of("a", "b", "c")) {
            spool.put(message.getBytes(UTF_8));
        }

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> spool.read(message -> {
                    if (message[0] == 'b') {
                        throw new IOException("down");
                    }
                }));

        assertThat(read(spool)).containsExactly("b", "c");
    }

    @Test
    void put_directoriesDeletedMeanwhile_madeAgain() throws IOException {
        Spool spool = new Spool(dir, clock);
        spool.put(new byte[] {'a'});
        read(spool);
        Files.delete(dir.resolve("tmp"));
        Files.delete(dir.resolve("new"));

        spool.put(new byte[] {'b'});

        assertThat(read(spool)).containsExactly("b");
    }

    @Test
    void put_diskIsFull_failsAndTheOthersStay() throws IOException {
        try (FileSystem small = Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setBlockSize(1024)
                .setMaxSize(4 * 1024)
                .build())) {
            Spool spool = new Spool(small.getPath("/spool"), clock);
            spool.put(new byte[] {'a'});

            assertThatExceptionOfType(IOException.class).isThrownBy(() -> spool.put(new byte[5 * 1024]));

            assertThat(small.getPath("/spool/tmp")).isEmptyDirectory();
            assertThat(read(spool)).containsExactly("a");
        }
    }

    /** Otherwise a power cut could lose the content, or undo the move. As the JDK's recorder saw it. */
    @Test
    void put_fileAndThenDirectory_areForced(@TempDir Path records) throws IOException {
        Path recorded = records.resolve("forces.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            new Spool(dir, clock).put(new byte[] {'a'});
            recording.stop();
            recording.dump(recorded);
        }

        assertThat(RecordingFile.readAllEvents(recorded).stream()
                        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                        .map(event -> Path.of(event.getString("path"))))
                .satisfiesExactly(
                        file -> assertThat(file).hasParentRaw(dir.resolve("tmp")),
                        directory -> assertThat(directory).isEqualTo(dir.resolve("new")));
    }

    private static List<String> read(Spool spool) throws IOException {
        List<String> messages = new ArrayList<>();
        int count = spool.read(message -> messages.add(new String(message, UTF_8)));
        assertThat(messages).hasSize(count);
        return messages;
    }
}
