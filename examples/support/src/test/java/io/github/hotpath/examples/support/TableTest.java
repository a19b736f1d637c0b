package io.github.hotpath.examples.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void toString_rows_alignsWordsLeftAndNumbersRight() {
        Table table = new Table("key", "calls", "");
        table.add("a long one", 7.125);
        table.add("b", 123456L, "!");

        assertThat(table).hasToString("key           calls\na long one     7.13\nb           123,456  !\n");
    }

    @Test
    void add_moreCellsThanColumns_throws() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Table("key").add("a", "b"))
                .withMessage("cells: 2 (expected: at most 1)");
    }
}
