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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A cheap operation on a file whose directory exists: alone, and with each way to ensure the directory. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class WithParentBenchmark {
    private Path dir;
    private Path file;

    @Setup
    public void make() throws IOException {
        dir = Files.createTempDirectory("dirs-benchmark");
        file = Files.createFile(dir.resolve("file"));
    }

    @TearDown
    public void remove() throws IOException {
        Files.delete(file);
        Files.delete(dir);
    }

    @Benchmark
    public long alone() throws IOException {
        return Files.size(file);
    }

    @Benchmark
    public long withParent() throws IOException {
        return Dirs.withParent(file, Files::size);
    }

    @Benchmark
    public long ensureParent() throws IOException {
        return Files.size(Dirs.ensureParent(file));
    }

    @Benchmark
    public long createDirectories() throws IOException {
        Files.createDirectories(file.getParent());
        return Files.size(file);
    }
}
