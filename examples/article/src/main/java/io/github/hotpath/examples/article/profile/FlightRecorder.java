package io.github.hotpath.examples.article.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import one.convert.Arguments;
import one.convert.JfrToFlame;

/** Java Flight Recorder: part of the JVM, on every platform, but it samples Java frames only. */
final class FlightRecorder implements Profiler {
    /** Returns the options with which a JVM records {@code events}, each at {@code period}, and no others. */
    static List<String> recording(Path file, String period, String... events) {
        String settings = Stream.of(events)
                .map(event -> ",+" + event + "#enabled=true,+" + event + "#period=" + period)
                .collect(Collectors.joining());
        return List.of("-XX:StartFlightRecording:settings=none,filename=" + file + settings, "-Xlog:jfr+startup=error");
    }

    @Override
    public List<String> options(Path dir) {
        List<String> options = new ArrayList<>(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"));
        // One is taken in Java code, the other in native code: they add up because their periods are equal.
        options.addAll(recording(result(dir), "10ms", "jdk.ExecutionSample", "jdk.NativeMethodSample"));
        return options;
    }

    @Override
    public CollapsedStacks stacks(Path dir) throws IOException {
        Path collapsed = dir.resolve("flight-recorder.collapsed");
        JfrToFlame.convert(
                result(dir).toString(), collapsed.toString(), new Arguments("--output", "collapsed", "--norm"));
        return CollapsedStacks.parse(Files.readAllLines(collapsed));
    }

    private static Path result(Path dir) {
        return dir.resolve("samples.jfr");
    }

    @Override
    public boolean isBlindToExceptions() {
        return true;
    }

    @Override
    public String toString() {
        return "Flight Recorder";
    }
}
