package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Directories that are missing: made, and removed again, which costs each way the same. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class MissingDirsBenchmark {
    @Param({"1", "2", "5"})
    int depth;

    private Path top;
    private Path dir;

    @Setup
    public void choose() throws IOException {
        top = Files.createTempDirectory("dirs-benchmark");
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
    public void ensure() throws IOException {
        Dirs.ensure(dir);
        deleteUpToTop();
    }

    @Benchmark
    public void createDirectories() throws IOException {
        Files.createDirectories(dir);
        deleteUpToTop();
    }

    private void deleteUpToTop() throws IOException {
        for (Path level = dir; !level.equals(top); level = level.getParent()) {
            Files.delete(level);
        }
    }
}
