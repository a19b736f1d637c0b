package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.files.Dirs;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of README and docs, run. {@link DocsTest} sees to it that what stands there stands here. */
@SuppressWarnings("UnusedVariable") // a reader is shown what there is to use
class SnippetsTest {
    @TempDir
    Path temp;

    private Path dir;
    private Path file;
    private long waited;
    private final List<Path> processed = new ArrayList<>();

    @BeforeEach
    void choosePaths() {
        dir = temp.resolve("dir");
        file = temp.resolve("parent").resolve("file");
    }

    @Test
    void readme_window() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));
        long lastMinute = window.record(System.nanoTime()); // including this one
        long lastSecond = window.count(System.nanoTime(), Duration.ofSeconds(1));

        EventWindow admitted = EventWindow.of(Duration.ofMinutes(1));
        long now = System.nanoTime();
        if (!admitted.tryRecord(now, 1000)) { // never more than 1000 in any minute
            long waitNanos = admitted.nanosUntilBelow(now, 1000);
        }

        assertThat(lastMinute).isEqualTo(1);
        assertThat(lastSecond).isBetween(0L, 1L);
        assertThat(window.toArray()).hasSize(1);
        assertThat(admitted.toArray()).containsExactly(now);
    }

    @Test
    void readme_directories() throws IOException {
        Dirs.ensure(dir); // one system call when it is there
        Files.writeString(Dirs.ensureParent(file), "text"); // the same for the directory of a file
        Dirs.withParent(file, f -> Files.writeString(f, "text")); // no call at all when it is there
        List<Dirs.Entry> entries = Dirs.entries(dir); // each with its attributes, read once

        assertThat(dir).isEmptyDirectory();
        assertThat(file).hasContent("text");
        assertThat(entries).isEmpty();
    }

    @Test
    void javadoc_eventWindow() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));
        long inTheLastMinute = window.record(System.nanoTime());

        assertThat(inTheLastMinute).isEqualTo(1);
    }

    @Test
    void javadoc_concurrentEventWindow() {
        ConcurrentEventWindow window = ConcurrentEventWindow.of(Duration.ofMinutes(1));
        window.record(System.nanoTime()); // from any thread
        long inTheLastMinute = window.count(System.nanoTime());

        assertThat(inTheLastMinute).isEqualTo(1);
    }

    @Test
    void javadoc_dirs() throws IOException {
        Path shard = dir;
        String content = "text";

        Dirs.ensure(shard); // one system call if it exists
        Files.writeString(Dirs.ensureParent(file), content); // the same for the parent directory of a file
        Dirs.withParent(file, f -> Files.writeString(f, content)); // no call at all if the parent exists

        assertThat(dir).isEmptyDirectory();
        assertThat(file).hasContent("text");
    }

    @Test
    void guide_window() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));

        long lastMinute = window.record(System.nanoTime()); // including this one

        assertThat(lastMinute).isEqualTo(1);
    }

    @Test
    void guide_spans() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));
        window.record(System.nanoTime() - Duration.ofSeconds(30).toNanos());
        window.record(System.nanoTime() - Duration.ofSeconds(5).toNanos());

        long now = System.nanoTime();
        long inSecond = window.count(now, Duration.ofSeconds(1));
        long inTenSeconds = window.count(now, Duration.ofSeconds(10));
        long inMinute = window.count(now);

        // However long a pause there is between two lines.
        assertThat(inSecond).isZero();
        assertThat(inTenSeconds).isLessThanOrEqualTo(1);
        assertThat(inMinute).isBetween(inTenSeconds, 2L);
    }

    @Test
    void guide_limit() {
        EventWindow window = EventWindow.of(Duration.ofSeconds(1));

        long now = System.nanoTime();
        if (window.tryRecord(now, 100)) {
            send();
        } else {
            retryAfter(window.nanosUntilBelow(now, 100));
        }

        assertThat(processed).hasSize(1);
        assertThat(waited).isZero();
    }

    private void send() {
        processed.add(file);
    }

    private void retryAfter(long nanos) {
        waited += nanos;
    }

    @Test
    void guide_manyThreads() {
        ConcurrentEventWindow requests = ConcurrentEventWindow.of(Duration.ofMinutes(1));

        requests.record(System.nanoTime()); // any thread
        long lastMinute = requests.count(System.nanoTime()); // any other

        assertThat(lastMinute).isEqualTo(1);
    }

    @Test
    void guide_lockAndTrim() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));

        synchronized (window) {
            window.record(System.nanoTime());
        }
        window.trim(System.nanoTime());

        assertThat(window.toArray()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void guide_compactForm() throws IOException {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));
        window.record(System.nanoTime());

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        window.writeTo(new DataOutputStream(bytes));

        EventWindow copy = EventWindow.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

        assertThat(copy.toArray()).isEqualTo(window.toArray()).hasSize(1);
    }

    @Test
    void guide_files() throws IOException {
        Files.writeString(Dirs.ensureParent(file), "text");
        Dirs.withParent(file, f -> Files.writeString(f, "text"));

        assertThat(file).hasContent("text");
    }

    @Test
    void guide_listing() throws IOException {
        Files.writeString(Files.createDirectory(dir).resolve("a"), "text");

        long bytes = 0;
        for (Dirs.Entry entry : Dirs.entries(dir)) {
            bytes += entry.attributes().size();
        }
        Dirs.forEachEntry(dir, entry -> {
            if (entry.attributes().isRegularFile()) {
                process(entry.path());
            }
        });

        assertThat(bytes).isEqualTo(4);
        assertThat(processed).containsExactly(dir.resolve("a"));
    }

    private void process(Path path) {
        processed.add(path);
    }
}
