package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.ErrorJvms;
import io.github.hotpath.window.ErrorJvms.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A {@link StackOverflowError} or {@link OutOfMemoryError} anywhere inside a call leaves nobody in line, and the next
 * one goes on. In JVMs of their own, because a call that never returns would keep this one.
 */
@Tag("slow")
@Timeout(120)
class BlockingErrorsTest {
    @TempDir
    static Path temp;

    private static ErrorJvms jvms;

    @BeforeAll
    static void start() throws IOException {
        jvms = new ErrorJvms(temp, BlockingLimiter.class, BlockingErrorProgram.class, runs().toList());
    }

    @AfterAll
    static void end() {
        jvms.close();
    }

    static Stream<Run> runs() {
        return Stream.of(
                Run.of("-XX:+TieredCompilation", 1, "memory", "8"),
                Run.of("-Xint", 5, "stack", "10"),
                Run.of("-XX:+TieredCompilation", 5, "stack", "60"), // as it is without any option
                Run.of("-XX:TieredStopAtLevel=1", 5, "stack", "60"));
    }

    /** See {@link io.github.hotpath.window.StackDiver} and {@link io.github.hotpath.window.MemoryShortage}. */
    @ParameterizedTest
    @MethodSource("runs")
    void any_throwsAnError_leavesTheLine(Run run) throws Exception {
        assertThat(jvms.errorsOf(run)).isGreaterThan(run.leastErrors());
    }
}
