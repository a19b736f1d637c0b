package io.github.hotpath.examples.benchmarks;

import com.google.common.io.MoreFiles;
import io.github.hotpath.files.Dirs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.file.PathUtils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A directory that exists, ensured by each library. */
public class DirsBenchmark extends CallBenchmark {
    private Path top;
    private Path dir;
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
    public File commonsIoForceMkdir() throws IOException {
        FileUtils.forceMkdir(dirAsFile);
        return dirAsFile;
    }

    /** Returns false for a directory that exists, and for one that cannot be created. */
    @Benchmark
    public boolean fileMkdirs() {
        return dirAsFile.mkdirs();
    }
}
