package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void table_everyStage_besideTheArticle() {
        Map<Stage, Figures> measured = new EnumMap<>(Stage.class);
        measured.put(Stage.ORIGINAL, new Figures(5400, 1780));
        measured.put(Stage.TRIMMED, new Figures(24000, 360));
        measured.put(Stage.CHECKED, new Figures(50000, 88));
        measured.put(Stage.HOTPATH, new Figures(50000, 0));

        assertThat(Comparison.table(measured).lines()).containsExactly("""
                stage     average count     time  times faster  article: count  article: time  article: times faster
                original        5400 op  1780 ms           1.0         6623 op        1462 ms                    1.0
                trimmed        24000 op   360 ms           4.9        14788 op         639 ms                    2.3
                checked        50000 op    88 ms          20.2        50000 op          87 ms                   16.8
                hotpath        50000 op     0 ms             -               -              -                      -
                """.split("\n"));
    }
}
