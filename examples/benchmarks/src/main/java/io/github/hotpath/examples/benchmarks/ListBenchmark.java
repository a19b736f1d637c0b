package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.files.Dirs;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

/** A directory of many files listed, and their sizes added up, in each way there is. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ListBenchmark {
    @Param("9000")
    int files;

    private Path dir;

    @Setup
    public void make() throws IOException {
        dir = Files.createTempDirectory("dirs-benchmark");
        for (int i = 0; i < files; i++) {
            Files.createFile(dir.resolve("file" + i));
        }
    }

    @TearDown
    public void remove() throws IOException {
        for (Dirs.Entry entry : Dirs.entries(dir)) {
            Files.delete(entry.path());
        }
        Files.delete(dir);
    }

    /** The names alone, which is less than the others do. */
    @Benchmark
    public long names() throws IOException {
        long length = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
            for (Path entry : entries) {
                length += entry.getNameCount();
            }
        }
        return length;
    }

    @Benchmark
    public long oneByOne() throws IOException {
        long size = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
            for (Path entry : entries) {
                size += Files.readAttributes(entry, BasicFileAttributes.class).size();
            }
        }
        return size;
    }

    @Benchmark
    public long listFiles() {
        long size = 0;
        for (File file : dir.toFile().listFiles()) {
            size += file.length();
        }
        return size;
    }

    @Benchmark
    public long walkFileTree() throws IOException {
        long[] size = new long[1];
        Files.walkFileTree(dir, Set.of(), 1, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                size[0] += attributes.size();
                return FileVisitResult.CONTINUE;
            }
        });
        return size[0];
    }

    @Benchmark
    public long find() throws IOException {
        long[] size = new long[1];
        try (Stream<Path> found = Files.find(dir, 1, (path, attributes) -> {
            size[0] += attributes.size();
            return true;
        })) {
            return found.count() + size[0];
        }
    }

    @Benchmark
    public long entries() throws IOException {
        long size = 0;
        for (Dirs.Entry entry : Dirs.entries(dir)) {
            size += entry.attributes().size();
        }
        return size;
    }

    @Benchmark
    public long forEachEntry() throws IOException {
        long[] size = new long[1];
        Dirs.forEachEntry(dir, entry -> size[0] += entry.attributes().size());
        return size[0];
    }
}
