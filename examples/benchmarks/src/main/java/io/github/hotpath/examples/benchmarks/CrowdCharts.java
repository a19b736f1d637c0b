package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Draws the charts of a crowd, as far as there are results. */
final class CrowdCharts {
    private final Path pictures;
    private final int jdk;
    private final List<Measured> results;

    CrowdCharts(Path results, Path pictures, int jdk) throws IOException {
        this.pictures = pictures;
        this.jdk = jdk;
        this.results = Measured.read(results.resolve("crowd-jdk" + jdk + ".json"));
    }

    void drawAll() throws IOException {
        shortCalls(Crowd.TO_ARRAY, "A record beside copies of three million events");
        shortCalls(Crowd.RECORD_AND_COUNT, "A record and a count, once a millisecond");
        shortCalls(Crowd.REFUSED, "An attempt that is refused, without a pause");
        longCalls(Crowd.TO_ARRAY, "A copy of three million events beside records");
        lateSources();
    }

    private void shortCalls(Crowd crowd, String title) throws IOException {
        RangeChart chart = new RangeChart(title + ", JDK " + jdk, "median, 99.9% and worst; lower is better");
        draw(crowd, chart, crowd.toString(), "p50", "p99.9", "worst");
    }

    private void longCalls(Crowd crowd, String title) throws IOException {
        RangeChart chart = new RangeChart(title + ", JDK " + jdk, "median and worst; lower is better");
        draw(crowd, chart, crowd + "-long", "long.p50", "long.worst");
    }

    private void draw(Crowd crowd, RangeChart chart, String picture, String... figures) throws IOException {
        int threads = 0;
        for (Measured result : CrowdTables.named(results, crowd.toString())) {
            if (result.threads() != threads) {
                threads = result.threads();
                chart.addHeading(CrowdTables.threads(result) + " threads");
            }
            boolean ours = SharedWindow.valueOf(result.param("window")).isOurs();
            chart.add(CrowdTables.window(result), ours, values(result, figures));
        }
        if (threads > 0) {
            chart.write(svg(picture));
        }
    }

    private static double[] values(Measured result, String... figures) {
        return Stream.of(figures)
                .mapToDouble(figure -> CrowdRatios.figure(figure).applyAsDouble(result))
                .toArray();
    }

    private void lateSources() throws IOException {
        BarChart chart = new BarChart(
                "Sources recorded one after the other, JDK " + jdk, "nanoseconds per event; lower is better");
        List<Measured> late = CrowdTables.named(results, LateSources.NAME);
        for (Measured result : late) {
            String sources = result.param("sources");
            chart.add(
                    ExactWindow.valueOf(result.param("window")).toString(),
                    sources.equals("1") ? "one source" : sources + " sources",
                    result.median());
        }
        if (!late.isEmpty()) {
            chart.write(svg(LateSources.NAME));
        }
    }

    private Path svg(String name) {
        return pictures.resolve("crowd-" + name + "-jdk" + jdk + ".svg");
    }
}
