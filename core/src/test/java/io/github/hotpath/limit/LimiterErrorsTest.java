package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.files.ChildJvm;
import io.github.hotpath.internal.Arguments;
import io.github.hotpath.window.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A {@link StackOverflowError} or {@link OutOfMemoryError} anywhere inside a call leaves no lock held, and no limiter
 * that grants too much. In JVMs of their own, because a call that never returns would keep this one.
 */
@Tag("slow")
@Timeout(120)
class LimiterErrorsTest {
    @TempDir
    Path temp;

    /** See {@link io.github.hotpath.window.StackDiver}. */
    @ParameterizedTest
    @CsvSource({"-XX:+TieredCompilation, 20", "-XX:TieredStopAtLevel=1, 20", "-Xint, 5"})
    void any_stackOverflows_leavesNoLockHeldAndGrantsNoMore(String option, int rounds) throws Exception {
        assertThat(errorsOf("stack", rounds, option, Seed.option())).isGreaterThan(20 * rounds);
    }

    /** See {@link io.github.hotpath.window.MemoryShortage}. */
    @Test
    void any_memoryRunsOut_leavesNoLockHeldAndGrantsNoMore() throws Exception {
        assertThat(errorsOf("memory", 6, Seed.option(), "-Xms10m", "-Xmx10m", "-XX:+UseSerialGC"))
                .isGreaterThan(3 * 6);
    }

    /** Runs the program, which ends well only if the limiters do, and returns how many errors there were. */
    private int errorsOf(String trouble, int rounds, String... options) throws IOException, InterruptedException {
        List<String> printed = new ChildJvm(
                        temp, SlidingWindowLimiter.class, Arguments.class, LimiterErrorsTest.class, Seed.class)
                .runOn(
                        ChildJvm.java(Runtime.version().feature()).orElseThrow(),
                        LimiterErrorProgram.class,
                        List.of(options),
                        trouble,
                        Integer.toString(rounds));
        return Integer.parseInt(printed.get(0));
    }
}
