package io.github.hotpath.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShortestTest {
    private static final List<Integer> NUMBERS =
            IntStream.range(0, 1000).boxed().toList();

    @Test
    void of_twoAreToBlame_keepsTheTwoInOrder() {
        assertThat(Shortest.of(NUMBERS, numbers -> numbers.contains(701) && numbers.contains(3)))
                .containsExactly(3, 701);
    }

    @Test
    void of_anyHundred_keepsAHundred() {
        assertThat(Shortest.of(NUMBERS, numbers -> numbers.size() >= 100)).hasSize(100);
    }

    /** Each number is only needed for as long as the next one is there, so the last has to go first. */
    @Test
    void of_eachNeedsTheOneBefore_keepsTheFirst() {
        assertThat(Shortest.of(
                        NUMBERS.subList(0, 20),
                        numbers -> IntStream.range(0, numbers.size()).allMatch(i -> numbers.get(i) == i)
                                && !numbers.isEmpty()))
                .containsExactly(0);
    }

    @Test
    void of_failsEvenEmpty_keepsNothing() {
        assertThat(Shortest.of(NUMBERS, numbers -> true)).isEmpty();
    }
}
