package io.github.hotpath.examples.article;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A sampling profiler that runs inside a JVM, from its start to its end. */
interface Profiler {
    /**
     * Returns async-profiler if it has a library for the platform and {@code jfr} is not requested, else Flight
     * Recorder.
     *
     * @param remark receives the reason why it is not async-profiler, if Flight Recorder was not requested
     * @throws IOException if there is none
     */
    static Profiler choose(boolean jfr, String osName, String osArch, Consumer<String> remark) throws IOException {
        Optional<AsyncProfiler> asyncProfiler = AsyncProfiler.on(osName, osArch);
        if (asyncProfiler.isPresent() && !jfr) {
            return asyncProfiler.get();
        }
        if (asyncProfiler.isEmpty()) {
            remark.accept("No async-profiler: it has no library for " + osName + " on " + osArch + ".");
        }
        if (!FlightRecorder.isAvailable()) {
            throw new IOException("no profiler: this JVM has no Flight Recorder");
        }
        return new FlightRecorder();
    }

    /** Returns the options with which a JVM samples itself, and writes the samples to {@code dir}, which is empty. */
    List<String> options(Path dir) throws IOException;

    /**
     * Returns the stacks that a JVM with those {@link #options} has left in {@code dir}.
     *
     * @throws IOException if it has left none
     */
    CollapsedStacks stacks(Path dir) throws IOException;

    /** Returns the parts that this profiler cannot sample on any platform. */
    Set<Part> blindTo();

    /** Returns what it has not sampled in {@code profiles}, a line each. */
    List<String> remarks(Collection<CollapsedStacks> profiles);
}
