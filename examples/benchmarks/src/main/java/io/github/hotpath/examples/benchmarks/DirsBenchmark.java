package io.github.hotpath.examples.benchmarks;

import com.google.common.io.MoreFiles;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.file.PathUtils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A directory that exists, ensured by each library, and some that are missing. */
public class DirsBenchmark extends CallBenchmark {
    private Path top;
    private Path dir;
    private Path file;

    @Setup
    public void make() throws IOException {
        top = Files.createTempDirectory("dirs-benchmark");
        dir = Files.createDirectories(top.resolve("a").resolve("b"));
        file = dir.resolve("file");
    }

    @TearDown
    public void remove() throws IOException {
        Files.delete(dir);
        Files.delete(dir.getParent());
        Files.delete(top);
    }

    @Benchmark
    public boolean filesExists() {
        return Files.exists(dir);
    }

    @Benchmark
    public boolean filesIsDirectory() {
        return Files.isDirectory(dir);
    }

    @Benchmark
    public Path filesCreateDirectories() throws IOException {
        return Files.createDirectories(dir);
    }

    @Benchmark
    public Path dirsEnsure() throws IOException {
        return Dirs.ensure(dir);
    }

    @Benchmark
    public Path dirsEnsureParent() throws IOException {
        return Dirs.ensureParent(file);
    }

    /** Of a call that succeeds, as nearly all do: what is added to it. */
    @Benchmark
    public boolean dirsWithParent() throws IOException {
        return Dirs.withParent(dir, Files::exists);
    }

    @Benchmark
    public Path guavaCreateParentDirectories() throws IOException {
        MoreFiles.createParentDirectories(file);
        return file;
    }

    @Benchmark
    public Path commonsIoCreateParentDirectories() throws IOException {
        return PathUtils.createParentDirectories(file);
    }

    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void missingByEnsure(Missing missing) throws IOException {
        Dirs.ensure(missing.dir);
        missing.delete();
    }

    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void missingByCreateDirectories(Missing missing) throws IOException {
        Files.createDirectories(missing.dir);
        missing.delete();
    }

    /** Directories that are missing: made, and removed again, which is measured as well. In memory, where it can be. */
    @State(Scope.Benchmark)
    public static class Missing {
        private static final Path IN_MEMORY = Path.of("/dev/shm");

        @Param({"1", "2", "5"})
        public int depth;

        private Path top;
        private Path dir;

        @Setup
        public void choose() throws IOException {
            top = Files.isWritable(IN_MEMORY)
                    ? Files.createTempDirectory(IN_MEMORY, "dirs-benchmark")
                    : Files.createTempDirectory("dirs-benchmark");
            dir = top;
            for (int i = 0; i < depth; i++) {
                dir = dir.resolve("d" + i);
            }
        }

        @TearDown
        public void remove() throws IOException {
            Files.delete(top);
        }

        private void delete() throws IOException {
            for (Path level = dir; !level.equals(top); level = level.getParent()) {
                Files.delete(level);
            }
        }
    }
}
