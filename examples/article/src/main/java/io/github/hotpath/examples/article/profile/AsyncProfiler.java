package io.github.hotpath.examples.article.profile;

import com.google.common.io.MoreFiles;
import com.google.common.io.Resources;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * async-profiler: an agent that samples Java, native and, where the system permits it, kernel frames of a JVM, from its
 * start to its end.
 */
final class AsyncProfiler {
    private final URL library;

    private AsyncProfiler(URL library) {
        this.library = library;
    }

    /** Returns the profiler for a platform, if its jar has a library for that. */
    static Optional<AsyncProfiler> on(String osName, String osArch) {
        String platform = osName.startsWith("Mac")
                ? "macos"
                : osName.toLowerCase(Locale.ROOT)
                        + switch (osArch) {
                            case "amd64", "x86_64" -> "-x64";
                            case "aarch64" -> "-arm64";
                            default -> "-" + osArch;
                        };
        return Optional.ofNullable(AsyncProfiler.class.getResource("/" + platform + "/libasyncProfiler.so"))
                .map(AsyncProfiler::new);
    }

    /** Returns the options with which a JVM samples itself, and writes the samples to {@code dir}, which is empty. */
    List<String> options(Path dir) throws IOException {
        Path agent = dir.resolve("libasyncProfiler.so");
        Resources.asByteSource(library).copyTo(MoreFiles.asByteSink(agent));
        // Only errors are printed: the program warns of missing kernel frames itself.
        return List.of("-agentpath:" + agent + "=start,event=cpu,interval=1ms,collapsed,ann,norm,loglevel=error,file="
                + result(dir));
    }

    /**
     * Returns the stacks that a JVM with those {@link #options} has left in {@code dir}.
     *
     * @throws IOException if it has left none: it ends with 0 even if its agent has printed an error
     */
    CollapsedStacks stacks(Path dir) throws IOException {
        return CollapsedStacks.parse(Files.readAllLines(result(dir)));
    }

    private static Path result(Path dir) {
        return dir.resolve("async-profiler.collapsed");
    }
}
