package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileStoreTest {
    private static final byte[] HELLO = "hello".getBytes(UTF_8);
    private static final String NAME = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

    @TempDir
    private Path dir;

    @Test
    void put_new_isStoredUnderItsHash() throws IOException {
        FileStore store = new FileStore(dir.resolve("store"));

        assertThat(store.put(HELLO)).isEqualTo(NAME);

        assertThat(dir.resolve("store/2c/f2").resolve(NAME)).hasBinaryContent(HELLO);
        assertThat(filesIn(dir)).hasSize(1);
    }

    /** Otherwise something that deletes old files could delete it as soon as this has returned. */
    @Test
    void put_storedAlready_isYoungAndNotWrittenAgain() throws IOException {
        FileStore store = new FileStore(dir);
        Path file = store.path(store.put(HELLO));
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        Files.setLastModifiedTime(file, FileTime.fromMillis(1000));

        assertThat(store.put(HELLO)).isEqualTo(NAME);

        assertThat(Files.getLastModifiedTime(file).toInstant()).isAfter(Instant.ofEpochMilli(1000));
        assertThat(Files.readAttributes(file, BasicFileAttributes.class).fileKey())
                .isEqualTo(key);
        assertThat(filesIn(dir)).hasSize(1);
    }

    /** As by {@code shutdownNow} at the end of a program. */
    @Test
    void put_interrupted_isStored() throws IOException {
        FileStore store = new FileStore(dir);
        Thread.currentThread().interrupt();

        store.put(HELLO);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(store.path(NAME)).hasBinaryContent(HELLO);
    }

    /** As a cleaner does that deletes directories that are empty. */
    @Test
    void put_directoriesDeletedMeanwhile_areMadeAgain() throws IOException {
        FileStore store = new FileStore(dir);
        store.put(HELLO);
        MoreFiles.deleteDirectoryContents(dir, RecursiveDeleteOption.ALLOW_INSECURE);

        store.put(HELLO);

        assertThat(store.path(NAME)).hasBinaryContent(HELLO);
    }

    /** Two threads store each content at the same moment, and each reads it as soon as the other's can be seen. */
    @Test
    void put_whileOthersRead_theySeeCompleteFilesOnly() throws Exception {
        FileStore store = new FileStore(dir);
        List<byte[]> contents = IntStream.range(0, 60)
                .mapToObj(i -> ("text" + i).repeat(20_000).getBytes(UTF_8))
                .toList();
        String last =
                Hashing.sha256().hashBytes(contents.get(contents.size() - 1)).toString();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Integer> reader = threads.submit(() -> {
                int incomplete = 0;
                for (byte[] content : contents) {
                    Path file = store.path(Hashing.sha256().hashBytes(content).toString());
                    while (!Files.exists(file) && !Files.exists(store.path(last))) {
                        Thread.onSpinWait();
                    }
                    incomplete += Files.size(file) == content.length ? 0 : 1;
                }
                return incomplete;
            });
            threads.submit(() -> {
                for (byte[] content : contents) {
                    store.put(content);
                    store.put(content);
                }
                return null;
            });
            assertThat(reader.get()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void put_diskIsFull_whatIsStoredStaysAndNothingElseIsLeft() throws IOException {
        try (FileSystem small = Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setBlockSize(1024)
                .setMaxSize(8 * 1024)
                .build())) {
            FileStore store = new FileStore(small.getPath("/store"));
            store.put(HELLO);

            assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.put(new byte[9 * 1024]));

            assertThat(store.put(HELLO)).isEqualTo(NAME);
            assertThat(store.path(NAME)).hasBinaryContent(HELLO);
            assertThat(filesIn(small.getPath("/store"))).containsExactly(store.path(NAME));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../../etc/passwd", NAME + "0"})
    void path_noName_rejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FileStore(dir).path(name))
                .withMessage("name: " + name + " (expected: a SHA-256)");
    }

    private static List<Path> filesIn(Path dir) {
        return StreamSupport.stream(MoreFiles.fileTraverser().breadthFirst(dir).spliterator(), false)
                .filter(Files::isRegularFile)
                .toList();
    }
}
