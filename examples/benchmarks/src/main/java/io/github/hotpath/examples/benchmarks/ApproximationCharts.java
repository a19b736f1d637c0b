package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Charts of what counters keep in memory, and how far they are from the truth, of one JDK. */
final class ApproximationCharts {
    static final String RESULTS = "approximation";

    private static final String X = "events in the window";

    private final Path file;
    private final Path pictures;
    private final int jdk;

    ApproximationCharts(Path results, Path pictures, int jdk) {
        this.file = results.resolve(RESULTS + "-jdk" + jdk + ".json");
        this.pictures = pictures;
        this.jdk = jdk;
    }

    void drawAll() throws IOException {
        List<Measured> results = Measured.read(file);
        memory(results).write(pictures.resolve(RESULTS + "-memory-jdk" + jdk + ".svg"));
        error(results).write(pictures.resolve(RESULTS + "-error-jdk" + jdk + ".svg"));
    }

    private CurveChart memory(List<Measured> results) {
        CurveChart chart =
                new CurveChart("Memory of a counter, JDK " + jdk + " (lower is better)", X, "bytes, steady traffic");
        results.stream()
                .filter(result -> course(result) == Course.STEADY)
                .forEach(result -> chart.add(counter(result).toString(), result.number("events"), result.bytes()));
        return chart;
    }

    /** Where the error is 0 there is no point: a logarithmic axis has no place for it. */
    private CurveChart error(List<Measured> results) {
        CurveChart chart = new CurveChart(
                "Worst error of a counter, JDK " + jdk + " (lower is better)",
                X,
                "per cent of the events in the window");
        results.stream()
                .filter(result -> counter(result) != Approximation.BOUNDED_EVENT_WINDOW_TENTH)
                .filter(result -> result.error() > 0)
                .forEach(result -> chart.add(
                        counter(result) + ", " + course(result), result.number("events"), 100 * result.error()));
        return chart;
    }

    private static Approximation counter(Measured result) {
        return Approximation.valueOf(result.param("counter"));
    }

    private static Course course(Measured result) {
        return Course.valueOf(result.param("course"));
    }
}
