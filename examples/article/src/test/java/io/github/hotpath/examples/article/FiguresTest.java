package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void of_countsAndNanos_meanAndMillisRoundedDown() {
        assertThat(Figures.of(new int[] {1, 2, 2}, 2_999_999)).isEqualTo(new Figures(1, 2));
    }

    @Test
    void of_sumPastAnInt_meanIsExact() {
        int[] counts = {Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE};

        assertThat(Figures.of(counts, 0).averageCount()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void of_articlesTurnsInOneWindow_fiftyThousand() {
        int[] counts = IntStream.rangeClosed(1, 100_000).toArray();

        assertThat(Figures.of(counts, 0).count()).isEqualTo("50000 op");
    }

    @Test
    void lines_any_inArticlesWords() {
        assertThat(new Figures(6623, 1462).lines()).containsExactly("Average count: 6623 op", "Spent time: 1462 ms");
    }

    @Test
    void parse_linesAmongOthers_sameFigures() {
        Figures figures = new Figures(14788, 639);

        assertThat(Figures.parse(figures.lines())).contains(figures);
        assertThat(Figures.parse(List.of(
                        "[gc] on", figures.lines().get(0), figures.lines().get(1), "done")))
                .contains(figures);
    }

    @Test
    void parse_lineMissing_nothing() {
        List<String> lines = new Figures(1, 2).lines();

        assertThat(Figures.parse(List.of())).isEmpty();
        assertThat(Figures.parse(lines.subList(0, 1))).isEmpty();
        assertThat(Figures.parse(lines.subList(1, 2))).isEmpty();
    }

    @Test
    void timesFasterThan_articlesFirstAndLast_itsFactor() {
        assertThat(new Figures(50000, 87).timesFasterThan(new Figures(6623, 1462)))
                .isEqualTo("16.8");
    }

    @Test
    void timesFasterThan_noMillisecond_dash() {
        assertThat(new Figures(5, 0).timesFasterThan(new Figures(5, 3))).isEqualTo("-");
    }
}
