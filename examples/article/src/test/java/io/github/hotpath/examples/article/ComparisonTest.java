package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
    @TempDir
    private Path base;

    @Test
    void run_printsTwoLinesOfEachStageAndTable_andLeavesNothing() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Comparison.run(base, 9, new PrintStream(bytes, true, StandardCharsets.UTF_8));

        String each = "Average count: \\d+ op\nSpent time: \\d+ ms\n";
        assertThat(bytes.toString(StandardCharsets.UTF_8).replaceAll("\\R", "\n"))
                .matches("original:\n" + each + "trimmed:\n" + each + "checked:\n" + each + "hotpath:\n" + each
                        + "\nstage +average count +time\n"
                        + "original +\\d+ op +\\d+ ms\n"
                        + "trimmed +\\d+ op +\\d+ ms\n"
                        + "checked +\\d+ op +\\d+ ms\n"
                        + "hotpath +\\d+ op +\\d+ ms\n");
        assertThat(base).isEmptyDirectory();
    }
}
