package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;

/**
 * A JDK whose speed is measured.
 *
 * @param java its launcher
 * @param feature its version, such as 17
 * @param name its version in full, and its maker
 */
record Jdk(Path java, int feature, String name) {
    /** Reads what is in the home of a JDK. */
    static Jdk of(Path home) throws IOException {
        Properties release = new Properties();
        try (Reader reader = Files.newBufferedReader(home.resolve("release"))) {
            release.load(reader);
        }
        Path java = home.resolve("bin").resolve("java");
        if (!Files.isExecutable(java)) {
            throw new NoSuchFileException(java.toString());
        }
        String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
        String maker = release.getProperty("IMPLEMENTOR", "").replace("\"", "");
        return new Jdk(java, Runtime.Version.parse(version).feature(), version + ", " + maker);
    }

    boolean hasVirtualThreads() {
        return feature >= 21;
    }

    /** Returns the file of some results on this JDK. */
    Path file(Path dir, String name) {
        return dir.resolve(name + "-jdk" + feature + ".json");
    }
}
