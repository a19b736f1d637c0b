package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BurstTest {
    private static final Path DOCS =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../../docs/performance");
    private static final Path KEPT = DOCS.resolve(Results.RAW).resolve(Burst.FILE);
    private static final Pattern POINT = Pattern.compile("(-?[\\d.]+),(-?[\\d.]+)");

    /** The paths of a chart: what is drawn, and in which colour. */
    private static final Pattern PATH = Pattern.compile("stroke:(rgb\\([\\d,]+\\))[^>]*><path d='([^']*)'");

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({"BUCKET_PER_MINUTE, 120", "TOKEN_BUCKET, 120", "SLIDING_WINDOW_LIMITER, 60"})
    void run_most_isTwiceTheLimitForBuckets_andTheLimitForAnExactLimiter(Burst.Kind kind, long most) {
        assertThat(most(Burst.run(), kind)).isEqualTo(most);
    }

    /** That it refuses more than the others is not the reason: it grants again as soon as the limit permits. */
    @Test
    void run_exactLimiter_grantsWhereverFewerThanTheLimitWereGranted() {
        Burst burst = Burst.run();
        List<Long> granted = times(burst, Burst.Kind.SLIDING_WINDOW_LIMITER);

        for (long millis = Burst.FIRST_MILLIS; millis <= Burst.LAST_MILLIS; millis += Burst.STEP_MILLIS) {
            long at = millis;
            long before = granted.stream()
                    .filter(time -> time < at && at - time <= 60_000)
                    .count();
            assertThat(granted.contains(millis)).as("at %d ms", millis).isEqualTo(before < Burst.LIMIT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void read_written_isTheSame(Burst.Kind kind) throws IOException {
        Burst burst = Burst.run();
        burst.write(dir.resolve(Burst.FILE));

        assertThat(times(Burst.read(dir.resolve(Burst.FILE)), kind)).isEqualTo(times(burst, kind));
    }

    @Test
    void run_again_isWhatTheDocumentsKeep() throws IOException {
        Burst.run().write(dir.resolve(Burst.FILE));

        assertThat(dir.resolve(Burst.FILE)).hasSameTextualContentAs(KEPT);
    }

    @Test
    void picture_ofTheDocuments_drawsTheTimesThatTheyKeep() throws IOException {
        Burst burst = Burst.read(KEPT);
        String svg = Files.readString(DOCS.resolve("burst.svg"));

        List<List<double[]>> curves = PATH.matcher(svg)
                .results()
                .map(path -> points(path.group(2)))
                .filter(points -> points.size() > 100)
                .toList();

        assertThat(curves).hasSameSizeAs(Burst.Kind.values());
        assertThat(svg).containsOnlyOnce("stroke:rgb(184,84,16)"); // ours in the strong colour
        double zero = curves.get(0).get(0)[1];
        double unit = (zero - top(curves.get(0))) / most(burst, Burst.Kind.BUCKET_PER_MINUTE);
        for (Burst.Kind kind : Burst.Kind.values()) {
            List<double[]> curve = curves.get(kind.ordinal());
            for (int second = 0; second < curve.size(); second++) {
                assertThat((zero - curve.get(second)[1]) / unit)
                        .as("%s at second %d", kind, second)
                        .isCloseTo(burst.inLastInterval(kind, 1000L * second), within(0.1));
            }
        }
        assertThat(svg)
                .contains(Arrays.stream(Burst.Kind.values())
                        .map(kind -> ">" + kind + "<")
                        .toArray(String[]::new));
        assertThat(svg.length()).isLessThan(40_000);
    }

    private static long most(Burst burst, Burst.Kind kind) {
        return LongStream.rangeClosed(0, Burst.LAST_MILLIS)
                .map(millis -> burst.inLastInterval(kind, millis))
                .max()
                .orElseThrow();
    }

    private static List<Long> times(Burst burst, Burst.Kind kind) {
        return Arrays.stream(burst.grantedMillis().get(kind)).boxed().toList();
    }

    private static List<double[]> points(String path) {
        return POINT.matcher(path)
                .results()
                .map(point -> new double[] {Double.parseDouble(point.group(1)), Double.parseDouble(point.group(2))})
                .toList();
    }

    private static double top(List<double[]> curve) {
        return curve.stream().mapToDouble(point -> point[1]).min().orElseThrow();
    }
}
