package io.github.hotpath.examples.article.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import one.convert.FlameGraph;
import org.junit.jupiter.api.Test;

class CollapsedStacksTest {
    @Test
    void parse_lines_countedByStackInOrder() {
        assertThat(stacks("a;c 1", "a;b 20", "", "a;c 300").lines()).containsExactly("a;b 20", "a;c 301");
        assertThat(stacks("a;[no symbol] b 7").lines()).containsExactly("a;[no symbol] b 7");
    }

    /** As async-profiler and Flight Recorder name them, on JDK 17 and 25. */
    @Test
    void parse_lambdas_leftOut() {
        CollapsedStacks stacks = stacks(
                "a/Loop.run_[j];a/Stage$$Lambda$8.take_[j];a/Stage.lambda$static$1_[i];Files.exists 1",
                "a/Loop.run_[j];a.Stage$$Lambda$110.take_[j];a/Stage.lambda$static$0_[i];Files.exists 2",
                "a/Loop.run_[j];a/Stage$$Lambda.take_[j];Files.exists 3",
                "a/Loop.run_[j];a/Stage$$Lambda.0x00007f2a1c001000.take_[j] 4");

        assertThat(stacks.lines()).containsExactly("a/Loop.run_[j]; 4", "a/Loop.run_[j];Files.exists 6");
    }

    @Test
    void count_frames_stacksThatHaveEach() {
        CollapsedStacks stacks = stacks("a;b 1", "a;b;c 20", "c;d 300");

        assertThat(stacks.count(Pattern.compile("a"), Pattern.compile("c"))).isEqualTo(20);
        assertThat(stacks.count(Pattern.compile("x"))).isZero();
    }

    /** The colour of a frame is by its difference: with as large a share of ten times the samples it has none. */
    @Test
    void difference_sameSharesOfMoreSamples_none() throws IOException {
        assertThat(html(stacks("a;b 1", "a;c 3").difference("title", stacks("a;b 10", "a;c 30"))))
                .contains("<h1>title</h1>", "maxdiff = 0")
                .isNotEqualTo(html(stacks("a;b 1", "a;c 3").difference("title", stacks("a;b 30", "a;c 10"))));
    }

    private static String html(FlameGraph graph) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        graph.dump(bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static CollapsedStacks stacks(String... lines) {
        return CollapsedStacks.parse(List.of(lines));
    }
}
