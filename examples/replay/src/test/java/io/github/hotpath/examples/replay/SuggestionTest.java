package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuggestionTest {
    @Test
    void of_onePercent_isTheSmallestLimit() {
        List<long[]> busiest =
                IntStream.rangeClosed(1, 1000).mapToObj(i -> new long[] {i}).toList();

        Suggestion suggestion = Suggestion.of(0.01, busiest);

        assertThat(suggestion.alone()).containsExactly(990); // 991 to 1000 are refused: ten of a thousand
        assertThat(suggestion.together()).containsExactly(990);
        assertThat(suggestion.refusedTogether()).isEqualTo(10);
    }

    @Test
    void of_nobodyOrEverybody_isTheLargestOrTheSmallest() {
        List<long[]> busiest = List.of(new long[] {3, 30}, new long[] {5, 10});

        assertThat(Suggestion.of(0, busiest).alone()).containsExactly(5, 30);
        assertThat(Suggestion.of(0.49, busiest).together()).containsExactly(5, 30);
        assertThat(Suggestion.of(1, busiest).alone()).containsExactly(3, 10);
    }

    @Test
    void of_differentClientsInEachInterval_sharesThem() {
        List<long[]> busiest = List.of(
                new long[] {9, 1},
                new long[] {8, 2},
                new long[] {1, 9},
                new long[] {2, 8},
                new long[] {1, 1},
                new long[] {1, 1});

        Suggestion suggestion = Suggestion.of(1 / 3d, busiest);

        assertThat(suggestion.alone()).containsExactly(2, 2);
        assertThat(suggestion.together()).containsExactly(8, 8); // one client above each
        assertThat(suggestion.refusedTogether()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.001, 0.05, 0.2, 0.5, 1})
    void of_randomClients_isWhatTryingFinds(double share) {
        long seed = Long.getLong("hotpath.seed", 11);
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            int clients = 1 + random.nextInt(40);
            List<long[]> busiest = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                long minute = 1 + random.nextInt(20);
                busiest.add(new long[] {minute, minute + random.nextInt(30)});
            }

            Suggestion suggestion = Suggestion.of(share, busiest);

            for (int i = 0; i < 2; i++) {
                assertThat(suggestion.alone()[i]).as("seed %d", seed).isEqualTo(tried(share, busiest, i));
            }
            long[] together = suggestion.together();
            long refused = busiest.stream()
                    .filter(c -> c[0] > together[0] || c[1] > together[1])
                    .count();
            assertThat(suggestion.refusedTogether()).isEqualTo(refused).isLessThanOrEqualTo((long) (share * clients));
            assertThat(suggestion.clients()).isEqualTo(clients);
        }
    }

    /** Tries limits from 1 on. */
    private static long tried(double share, List<long[]> busiest, int interval) {
        long limit = 1;
        while (true) {
            long least = limit;
            long refused =
                    busiest.stream().filter(client -> client[interval] > least).count();
            boolean grantsSomebody = refused < busiest.size(); // a limit under which everybody is refused is none
            if (refused <= share * busiest.size() && grantsSomebody) {
                return limit;
            }
            limit++;
        }
    }
}
