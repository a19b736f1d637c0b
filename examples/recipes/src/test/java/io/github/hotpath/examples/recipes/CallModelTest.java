package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.recipes.ModelClient.Quota;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallModelTest {
    /** Estimates are ten times what is used, and yet nearly all that the service allows is used in each minute. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 150_000_000_000L, Long.MIN_VALUE, -60_000_000_000L})
    void run_anyStart_usesWhatIsAllowedAndIsNeverRefused(long start) throws InterruptedException {
        Run run = Run.of((out, err, args) -> CallModel.run(start, CallModel.QUOTA, out, err, args), "20");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith("minute  calls of 3000  tokens of 200000  estimated")
                .endsWith("no call was refused, and no limit exceeded in any minute");
        for (String minute : run.out().subList(2, 21)) {
            assertThat(numbers(minute).get(1)).isBetween(194_000L, 200_000L);
            assertThat(numbers(minute).get(2)).isGreaterThan(1_700_000);
        }
        assertThat(numbers(run.out().get(21)).get(1)).isBetween(194_000L, 200_000L); // in any minute
    }

    @Test
    void run_clientTakesMoreThanItsQuota_isOneLineAndStatus1() throws InterruptedException {
        Quota tooMuch = new Quota(3000, 220_000, Duration.ofMinutes(1));

        Run run = Run.of((out, err, args) -> CallModel.run(0, tooMuch, out, err, args));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).singleElement().asString().matches("CallModel: the service has refused \\d+ calls");
        assertThat(run.out()).noneMatch(line -> line.startsWith("no "));
    }

    /** Returns the calls, the tokens and the estimate of a line. */
    private static List<Long> numbers(String line) {
        return List.of(line.strip().split(" +")).subList(1, 4).stream()
                .map(Long::valueOf)
                .toList();
    }
}
