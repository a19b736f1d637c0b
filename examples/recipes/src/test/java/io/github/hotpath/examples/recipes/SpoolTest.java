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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;
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

    /** Of a network file system, a desktop, a writer that was killed, and a snapshot. */
    @Test
    void read_strangeFilesAndDirectories_notReadAndNotDeleted() throws IOException {
        Spool spool = new Spool(dir, clock);
        spool.put(new byte[] {'a'});
        String name = dir.toFile().list()[0];
        Files.writeString(dir.resolve(".nfs000000000000002a"), "deleted");
        Files.writeString(dir.resolve(".DS_Store"), "");
        Files.writeString(dir.resolve("." + name.substring(20) + ".tmp"), "incompl");
        Files.writeString(dir.resolve(name + "~"), "a");
        Files.createDirectory(dir.resolve(".snapshot"));
        Files.createDirectory(dir.resolve("0" + name.substring(1, 19) + "-" + UUID.randomUUID()));

        assertThat(read(spool)).containsExactly("a");

        assertThat(dir.toFile().list()).hasSize(6);
    }

    /** As by {@code shutdownNow} at the end of a program. */
    @Test
    void put_interrupted_isNotLost() throws IOException {
        Spool spool = new Spool(dir, clock);
        Thread.currentThread().interrupt();

        spool.put(new byte[] {'a'});

        assertThat(Thread.interrupted()).isTrue();
        assertThat(read(spool)).containsExactly("a");
    }

    /** A name that begins with a minus would never be read. */
    @Test
    void put_clockBefore1970_isRead() throws IOException {
        Spool spool = new Spool(dir, () -> Instant.EPOCH.minusSeconds(1));

        spool.put(new byte[] {'a'});
        spool.put(new byte[] {'b'});

        assertThat(read(spool)).containsExactly("a", "b");
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
    void put_directoryDeletedMeanwhile_madeAgain() throws IOException {
        Spool spool = new Spool(dir, clock);
        spool.put(new byte[] {'a'});
        read(spool);
        Files.delete(dir);

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

            assertThat(read(spool)).containsExactly("a");
            assertThat(small.getPath("/spool")).isEmptyDirectory();
        }
    }

    private static List<String> read(Spool spool) throws IOException {
        List<String> messages = new ArrayList<>();
        int count = spool.read(message -> messages.add(new String(message, UTF_8)));
        assertThat(messages).hasSize(count);
        return messages;
    }
}
