package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

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
 * A {@link StackOverflowError} or {@link OutOfMemoryError} anywhere inside a call leaves no lock held and no window
 * that counts wrongly. In JVMs of their own, because a call that never returns would keep this one.
 */
@Tag("slow")
@Timeout(120)
class ErrorsTest {
    @TempDir
    static Path temp;

    private static ErrorJvms jvms;

    @BeforeAll
    static void start() throws IOException {
        jvms = new ErrorJvms(temp, EventWindow.class, WindowErrorProgram.class, runs().toList());
    }

    @AfterAll
    static void end() {
        jvms.close();
    }

    static Stream<Run> runs() {
        return Stream.of(EventWindow.class.getSimpleName(), ConcurrentEventWindow.class.getSimpleName())
                .flatMap(window -> Stream.of(
                        Run.of("-XX:+TieredCompilation", 3, window, "memory", "8"),
                        Run.of("-XX:+TieredCompilation", 20, window, "stack", "40"), // as it is without any option
                        Run.of("-XX:TieredStopAtLevel=1", 20, window, "stack", "40"),
                        Run.of("-Xint", 20, window, "stack", "15")));
    }

    /** See {@link StackDiver} and {@link MemoryShortage}. */
    @ParameterizedTest
    @MethodSource("runs")
    void any_throwsAnError_leavesNoLockHeldAndCountsRight(Run run) throws Exception {
        assertThat(jvms.errorsOf(run)).isGreaterThan(run.leastErrors());
    }
}
