package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;

/** Where Sentinel writes what it logs, which would be the user's home. */
final class SentinelLog {
    private static final String DIR = "csp.sentinel.log.dir";

    private SentinelLog() {}

    /** Makes it a directory that goes with the JVM; call this before any of Sentinel's classes is loaded. */
    static synchronized void redirect() {
        if (System.getProperty(DIR) != null) {
            return;
        }
        try {
            Path dir = Files.createTempDirectory("sentinel");
            System.setProperty(DIR, dir.toString());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtils.deleteQuietly(dir.toFile())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
