package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Draws the pictures of the pages, of the newest JDK that was measured. */
final class Pictures {
    private static final String LOWER = "; lower is better";

    private final Path results;
    private final Path dir;
    private final int jdk;

    private Pictures(Path results, Path dir, int jdk) {
        this.results = results;
        this.dir = dir;
        this.jdk = jdk;
    }

    /** Draws the results in a directory into another one, and a {@link Burst}, which it runs itself. */
    static void write(Path results, Path dir) throws IOException {
        Path burst = results.resolve(Burst.FILE);
        Burst.run().write(burst);
        new BurstChart(Burst.read(burst)).write(dir.resolve("burst.svg"));
        List<Integer> jdks = Measured.jdks(results, "concurrent");
        if (!jdks.isEmpty()) {
            new Pictures(results, dir, jdks.get(jdks.size() - 1)).writeAll();
        }
    }

    private void writeAll() throws IOException {
        BarChart counters = new BarChart("A record in a counter that threads share, JDK " + jdk, "nanoseconds" + LOWER);
        for (Measured m : read("concurrent")) {
            if (m.method().equals("record")) {
                counters.add(m.inThreads(), Counter.valueOf(m.param("counter")).toString(), m.median());
            }
        }
        counters.write(dir.resolve("shared-counter.svg"));

        BarChart limiters = new BarChart("A refused call of a limiter, JDK " + jdk, "nanoseconds" + LOWER);
        for (Measured m : read("limiter")) {
            if (m.outcome().equals("refused")) {
                limiters.add(m.inThreads(), m.limiter(), m.median());
            }
        }
        limiters.write(dir.resolve("limiter.svg"));

        BarChart crowd =
                new BarChart("99.9% of the calls of 200 threads take at most this, JDK " + jdk, "microseconds" + LOWER);
        for (Measured m : read("crowd")) {
            SharedWindow window = SharedWindow.valueOf(m.param("window"));
            boolean isShown = window.isOurs() || window == SharedWindow.REENTRANT_LOCK;
            if (TableOf.threads(m).equals("200") && isShown) {
                crowd.add(
                        window.isOurs() ? "this library" : "under a ReentrantLock",
                        TableOf.traffic(m),
                        m.median("p99.9") / 1e3);
            }
        }
        crowd.write(dir.resolve("crowd.svg"));
    }

    private List<Measured> read(String name) throws IOException {
        return Measured.read(results, name, jdk);
    }
}
