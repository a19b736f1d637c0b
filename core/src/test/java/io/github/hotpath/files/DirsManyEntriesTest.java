package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A directory of a million entries, which are generated as they are listed, in a JVM that cannot hold them. */
@Timeout(600)
class DirsManyEntriesTest {
    @TempDir
    Path temp;

    @Test
    void forEachEntry_aMillion_constantMemory() throws IOException, InterruptedException {
        List<String> printed = new ChildJvm(temp, Dirs.class, DirsManyEntriesTest.class)
                .run(Program.class, List.of("-Xmx16m", "-XX:+UseSerialGC"), temp.toString());

        assertThat(printed).containsExactly("forEachEntry: 1000000", "entries: OutOfMemoryError");
    }

    /** Passes them one by one; and to show that this heap cannot hold them, reads all at once. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException {
            Path dir = new MillionEntries(Path.of(arguments[0])).dir();

            int[] count = {0};
            Dirs.forEachEntry(dir, entry -> count[0]++);
            System.out.println("forEachEntry: " + count[0]);

            try {
                System.out.println("entries: " + Dirs.entries(dir).size());
            } catch (OutOfMemoryError tooMany) {
                System.out.println("entries: OutOfMemoryError");
            }
        }
    }

    /** Lists a million entries in any directory; each has the attributes of that directory. */
    private static final class MillionEntries extends WatchedFileSystem {
        private final Path dir;
        private final BasicFileAttributes attributes;

        MillionEntries(Path dir) throws IOException {
            super(dir.getFileSystem());
            this.dir = dir;
            this.attributes = Files.readAttributes(dir, BasicFileAttributes.class);
        }

        Path dir() {
            return wrap(dir);
        }

        @Override
        DirectoryStream<Path> list(Path listed) {
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    return IntStream.range(0, 1_000_000)
                            .mapToObj(i -> listed.resolve("entry" + i))
                            .iterator();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        <A extends BasicFileAttributes> A read(Path path, Class<A> type, LinkOption... options) {
            return type.cast(attributes);
        }
    }
}
