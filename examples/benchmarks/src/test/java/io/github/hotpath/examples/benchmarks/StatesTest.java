package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatesTest {
    private static final int CALLS = 100_000;

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            half the limit; exponential gaps; SlidingWindowLimiter; 0; 0
            half the limit; regular gaps; SlidingWindowLimiter; 0; 0
            at the limit; exponential gaps; SlidingWindowLimiter; 1; 4
            at the limit; exponential gaps; EventWindow, locked; 1; 4
            at the limit; regular gaps; SlidingWindowLimiter; 0; 0
            at the limit; regular gaps; Bucket4j (tokens); 0; 0
            at the limit; regular gaps; SmallRye (rolling); 0; 0
            at the limit; regular gaps; Resilience4j (cycles); 0; 1
            twice the limit; exponential gaps; SlidingWindowLimiter; 49; 51
            twice the limit; regular gaps; EventWindow, locked; 49; 51
            twice the limit; exponential gaps; Bucket4j (tokens); 49; 51
            twice the limit; exponential gaps; Resilience4j (cycles); 49; 51
            twice the limit; exponential gaps; Guava (smooth); 49; 51
            twice the limit; exponential gaps; SmallRye (rolling); 100; 100
            ten refused of five left; a loop; SlidingWindowLimiter; 100; 100
            ten refused of five left; a loop; Bucket4j (tokens); 100; 100
            """)
    void calls_areRefusedAsTheStateSays(String state, String gaps, String limiter, double least, double most)
            throws InterruptedException {
        States s = States.of(state, gaps);
        Limiters.Call call = Limiters.of(limiter, s.limit(), s.interval(), States.isEmptyFirst(state), s.arrivals());
        int permits = state.equals(States.TEN) ? 10 : 1;
        int refused = 0;
        for (int i = -5_000; i < CALLS; i++) {
            s.arrivals().next();
            refused += call.ask(permits) != 0 && i >= 0 ? 1 : 0;
        }

        assertThat(100.0 * refused / CALLS).isBetween(least, most);
    }

    /** What a window that is steady needs: the mean of all kinds of gaps is the same. */
    @ParameterizedTest
    @CsvSource({"exponential gaps", "regular gaps", "bursts of eight"})
    void gaps_haveTheMeanThatIsAskedFor(String kind) {
        double mean = Arrays.stream(Arrivals.gaps(kind, 100)).average().orElseThrow();

        assertThat(mean).isBetween(98.0, 102.0);
    }
}
