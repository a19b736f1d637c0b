package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void lines_headerOnly_header() {
        assertThat(new Table("name", "n").lines()).containsExactly("name  n");
    }

    @Test
    void lines_cellsOfManyWidths_firstColumnLeftOthersRight() {
        Table table = new Table("name", "n", "time");
        table.add(List.of("a", "1000", "5 ms"));
        table.add(List.of("longer", "", "-"));

        assertThat(table.lines())
                .containsExactly(
                        "name       n  time", //
                        "a       1000  5 ms",
                        "longer           -");
    }
}
