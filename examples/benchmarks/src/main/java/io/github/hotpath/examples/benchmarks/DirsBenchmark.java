package io.github.hotpath.examples.benchmarks;

import com.google.common.io.MoreFiles;
import io.github.hotpath.files.Dirs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.file.PathUtils;
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

/** An existing directory, ensured by each library. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class DirsBenchmark {
    private Path top;
    private Path dir;

    /** Guava and Commons IO ensure the parent of this path. */
    private Path file;

    private File dirAsFile;

    @Setup
    public void make() throws IOException {
        top = Files.createTempDirectory("dirs-benchmark");
        dir = Files.createDirectories(top.resolve("a").resolve("b"));
        file = dir.resolve("file");
        dirAsFile = dir.toFile();
    }

    @TearDown
    public void remove() throws IOException {
        Files.delete(dir);
        Files.delete(dir.getParent());
        Files.delete(top);
    }

    @Benchmark
    public boolean exists() {
        return Files.exists(dir);
    }

    @Benchmark
    public boolean isDirectory() {
        return Files.isDirectory(dir);
    }

    @Benchmark
    public Path createDirectories() throws IOException {
        return Files.createDirectories(dir);
    }

    @Benchmark
    public Path ensure() throws IOException {
        return Dirs.ensure(dir);
    }

    @Benchmark
    public Path ensureParent() throws IOException {
        return Dirs.ensureParent(file);
    }

    @Benchmark
    public Path guava() throws IOException {
        MoreFiles.createParentDirectories(file);
        return file;
    }

    @Benchmark
    public Path commonsIoOfPath() throws IOException {
        return PathUtils.createParentDirectories(file);
    }

    @Benchmark
    public File commonsIoOfFile() throws IOException {
        FileUtils.forceMkdir(dirAsFile);
        return dirAsFile;
    }

    /** Returns false for a directory that exists, and for one that cannot be created. */
    @Benchmark
    public boolean mkdirs() {
        return dirAsFile.mkdirs();
    }
}
