package io.github.hotpath.examples.benchmarks;

import java.util.List;
import org.openjdk.jmh.runner.options.Options;

/** Some runs of JMH whose results go to one file, and its name. */
record Part(String name, List<Options> runs) {
    Part(String name, Options... runs) {
        this(name, List.of(runs));
    }
}
