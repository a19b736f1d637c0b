package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BurstTest {
    private final Burst burst = Burst.run();

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            Bucket4j, refilled once a minute; 120
            Bucket4j, refilled continuously; 120
            Bucket4j, 30 and 30 a minute; 60
            SlidingWindowLimiter; 60
            """)
    void mostInAMinute_isTwiceTheCapacityForBuckets_andTheLimitForAnExactLimiter(String limiter, long most) {
        assertThat(LongStream.rangeClosed(0, Burst.LAST_MILLIS)
                        .map(millis -> burst.inLastInterval(limiter, millis))
                        .max())
                .hasValue(most);
    }

    /** That it refuses more than the others is not the reason: it grants again as soon as the limit permits. */
    @Test
    void exactLimiter_grantsWhereverFewerThanTheLimitWereGranted() {
        List<Long> granted = Arrays.stream(burst.grantedMillis().get("SlidingWindowLimiter"))
                .boxed()
                .toList();

        for (long millis = Burst.FIRST_MILLIS; millis <= Burst.LAST_MILLIS; millis += 250) {
            long at = millis;
            long before = granted.stream()
                    .filter(time -> time < at && at - time <= 60_000)
                    .count();
            assertThat(granted.contains(millis)).as("at %d ms", millis).isEqualTo(before < Burst.LIMIT);
        }
    }

    /** With {@code -Dhotpath.write=true} it writes them. */
    @ParameterizedTest
    @ValueSource(strings = {"burst.svg", "raw/burst.txt"})
    void pictureAndData_areThoseOfTheRun(String name) throws IOException {
        Path file = Path.of(System.getProperty("basedir", ""))
                .resolve("../../docs/performance")
                .resolve(name);
        String content = name.endsWith("svg") ? BurstPicture.of(burst) : String.join("\n", burst.lines()) + "\n";
        if (Boolean.getBoolean("hotpath.write")) {
            Files.writeString(file, content);
        }

        assertThat(file).hasContent(content);
    }
}
