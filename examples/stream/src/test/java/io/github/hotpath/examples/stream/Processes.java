package io.github.hotpath.examples.stream;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** JVMs with the libraries of this one, or some of them, which write to files of their names, and end with it. */
final class Processes implements AutoCloseable {
    private static final int LOG_CHARS = 3_000;
    private static final long PAUSE_NANOS = 20_000_000;

    private final Path dir;
    private final String classPath;
    private final List<Process> all = new ArrayList<>();
    private final Thread hook = new Thread(this::kill);

    /** Makes none yet; their files are in {@code dir}, and their class path is without {@code others}. */
    Processes(Path dir, Pattern others) {
        this.dir = dir;
        classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !others.matcher(entry.replace('\\', '/')).matches())
                .collect(Collectors.joining(File.pathSeparator));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    Process start(String name, List<String> options, String mainClass, String... args) throws IOException {
        return start(name, options, Map.of(), mainClass, args);
    }

    Process start(String name, List<String> options, Map<String, String> environment, String mainClass, String... args)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + dir, // one that is killed deletes nothing
                "--add-opens=java.base/java.util=ALL-UNNAMED", // as Flink's scripts do
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.log.org.apache.flink.metrics.MetricGroup=error"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(Arrays.asList(args));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(file(name).toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        all.add(process);
        return process;
    }

    private Path file(String name) {
        return dir.resolve(name + ".log");
    }

    /** Returns what a process has written. */
    String log(String name) throws IOException {
        return Files.readString(file(name));
    }

    /** Returns the end of what each process has written. */
    String logs() throws IOException {
        StringBuilder logs = new StringBuilder();
        try (Stream<Path> files = Files.list(dir)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                String log = Files.readString(file);
                logs.append("== ").append(file.getFileName()).append('\n');
                logs.append(log.substring(Math.max(0, log.length() - LOG_CHARS)))
                        .append('\n');
            }
        }
        return logs.toString();
    }

    /** A condition that other processes bring about. */
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Waits until {@code condition} holds, or the test is interrupted, and says what was written until then. */
    void await(String what, Condition condition) throws IOException, InterruptedException {
        while (!condition.holds()) {
            LockSupport.parkNanos(PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("waiting for " + what + "\n" + logs());
            }
        }
    }

    private void kill() {
        all.forEach(Process::destroyForcibly);
    }

    @Override
    public void close() {
        kill();
        all.forEach(process -> process.onExit().join());
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
