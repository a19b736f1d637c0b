package io.github.hotpath.examples.article;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** async-profiler: an agent that samples Java, native and, where the system permits it, kernel frames. */
final class AsyncProfiler implements Profiler {
    private static final Pattern KERNEL_FRAME = Pattern.compile("_\\[k]");

    private final URL library;

    private AsyncProfiler(URL library) {
        this.library = library;
    }

    /** Returns the profiler for a platform, if it has a library for that. */
    static Optional<AsyncProfiler> on(String osName, String osArch) {
        String resource = "/" + platform(osName, osArch) + "/libasyncProfiler.so";
        return Optional.ofNullable(AsyncProfiler.class.getResource(resource)).map(AsyncProfiler::new);
    }

    /** Returns the folder of the platform's library in async-profiler's jar. */
    private static String platform(String osName, String osArch) {
        if (osName.startsWith("Mac")) {
            return "macos";
        }
        return osName.toLowerCase(Locale.ROOT)
                + switch (osArch) {
                    case "amd64", "x86_64" -> "-x64";
                    case "aarch64" -> "-arm64";
                    default -> "-" + osArch;
                };
    }

    @Override
    public List<String> options(Path dir) throws IOException {
        Path agent = dir.resolve("libasyncProfiler.so");
        try (InputStream in = library.openStream()) {
            Files.copy(in, agent);
        }
        // Only errors are printed: the warning about kernel frames is one of the remarks.
        return List.of("-agentpath:" + agent + "=start,event=cpu,interval=1ms,collapsed,ann,norm,loglevel=error,file="
                + result(dir));
    }

    @Override
    public CollapsedStacks stacks(Path dir) throws IOException {
        Path result = result(dir);
        if (Files.notExists(result)) { // the JVM ends with 0 even if its agent has printed an error
            throw new IOException("async-profiler left no stacks");
        }
        try (Stream<String> lines = Files.lines(result)) {
            return CollapsedStacks.parse(lines);
        }
    }

    private static Path result(Path dir) {
        return dir.resolve("async-profiler.collapsed");
    }

    @Override
    public Set<Part> blindTo() {
        return Set.of();
    }

    @Override
    public List<String> remarks(Collection<CollapsedStacks> profiles) {
        boolean kernelSeen =
                profiles.stream().anyMatch(stacks -> stacks.with(KERNEL_FRAME).total() > 0);
        return kernelSeen
                ? List.of()
                : List.of(
                        "No kernel frames: the system shows them to no one, or not to this user (on Linux, root sees them).");
    }

    @Override
    public String toString() {
        return "async-profiler";
    }
}
