package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CollapsedStacksTest {
    @Test
    void parse_lines_countedByStackInOrder() {
        CollapsedStacks stacks = stacks("a;c 1", "a;b 20", "", "a;c 300");

        assertThat(stacks.lines()).containsExactly("a;b 20", "a;c 301");
        assertThat(stacks.total()).isEqualTo(321);
    }

    @Test
    void parse_frameWithSpace_countIsWhatComesLast() {
        assertThat(stacks("a;[no symbol] b 7").lines()).containsExactly("a;[no symbol] b 7");
    }

    /** As async-profiler and Flight Recorder name them, on JDK 17 and 25. */
    @Test
    void parse_lambdas_leftOut() {
        CollapsedStacks stacks = stacks(
                "a/Loop.run_[j];a/Stage$$Lambda$8.ensure_[j];a/Stage.lambda$static$1_[i];Files.exists 1",
                "a/Loop.run_[j];a.Stage$$Lambda$110.ensure_[j];a/Stage.lambda$static$0_[i];Files.exists 2",
                "a/Loop.run_[j];a/Stage$$Lambda.ensure_[j];Files.exists 3",
                "a/Loop.run_[j];a/Stage$$Lambda.0x00007f2a1c001000.ensure_[j] 4");

        assertThat(stacks.lines()).containsExactly("a/Loop.run_[j]; 4", "a/Loop.run_[j];Files.exists 6");
    }

    @Test
    void with_frames_stacksThatHaveEach() {
        CollapsedStacks stacks = stacks("a;b 1", "a;b;c 20", "c;d 300");

        assertThat(stacks.with(Pattern.compile("a"), Pattern.compile("c")).lines())
                .containsExactly("a;b;c 20");
        assertThat(stacks.with(Pattern.compile("x")).total()).isZero();
        assertThat(stacks.total()).isEqualTo(321);
    }

    @Test
    void scaledTo_more_sameShares() {
        assertThat(stacks("a 1", "b 3").scaledTo(400).lines()).containsExactly("a 100", "b 300");
    }

    @Test
    void scaledTo_less_nearestAndNoneWithout() {
        assertThat(stacks("a 1", "b 149", "c 150").scaledTo(30).lines()).containsExactly("b 15", "c 15");
    }

    private static CollapsedStacks stacks(String... lines) {
        return CollapsedStacks.parse(Stream.of(lines));
    }
}
