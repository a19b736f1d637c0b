package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Directories that are missing: made, and removed again, which costs each way the same. In memory, where it can be. */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MissingDirsBenchmark extends CallBenchmark {
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

    @Benchmark
    public void dirsEnsure() throws IOException {
        Dirs.ensure(dir);
        deleteUpToTop();
    }

    @Benchmark
    public void filesCreateDirectories() throws IOException {
        Files.createDirectories(dir);
        deleteUpToTop();
    }

    private void deleteUpToTop() throws IOException {
        for (Path level = dir; !level.equals(top); level = level.getParent()) {
            Files.delete(level);
        }
    }
}
