package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ShareTableTest {
    @Test
    void of_recordedStacks_sharesOfTheLoopBesideTheArticle() {
        assertThat(ShareTable.of(Recorded.profiles(), Set.of()).rows().stream().map(row -> String.join("|", row)))
                .containsExactly(
                        "stage|samples|removeIf|createDirectories|mkdir0|exception|its stack trace"
                                + "|exceptions per turn|system calls per turn|article: createDirectories",
                        "original|200|80.0 %|20.0 %|7.5 %|11.0 %|5.0 %|2.00|mkdir 1.0, statx 1.0|about as much as removeIf",
                        "trimmed|50|0.0 %|80.0 %|30.0 %|44.0 %|20.0 %|2.00|mkdir 1.0, statx 1.0|96.49 %, most of it mkdir0",
                        "checked|40|0.0 %|0.0 %|0.0 %|0.0 %|0.0 %|0.00|access 1.0|gone",
                        "hotpath|30|0.0 %|0.0 %|0.0 %|0.0 %|0.0 %|-|-|-");
    }

    @Test
    void of_profilerBlindToExceptions_dashes() {
        Table table = ShareTable.of(Recorded.profiles(), new FlightRecorder().blindTo());

        assertThat(table.rows().get(1).subList(0, 7))
                .containsExactly("original", "200", "80.0 %", "20.0 %", "7.5 %", "-", "-");
    }
}
