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
 * A {@link StackOverflowError} or {@link OutOfMemoryError} anywhere inside a call leaves no lock held, no permit
 * uncounted, and no entry that is never evicted. In JVMs of their own, because a call that never returns would keep this
 * one.
 */
@Tag("slow")
@Timeout(120)
class KeyedLimiterErrorsTest {
    @TempDir
    Path temp;

    /** See {@link io.github.hotpath.window.StackDiver}. */
    @ParameterizedTest
    @CsvSource({"-XX:+TieredCompilation, 30", "-XX:TieredStopAtLevel=1, 30", "-Xint, 10"})
    void any_stackOverflows_leavesNoLockHeldAndCountsRight(String option, int rounds) throws Exception {
        assertThat(errorsOf("stack", rounds, option, Seed.option())).isGreaterThan(5 * rounds);
    }

    /** See {@link io.github.hotpath.window.MemoryShortage}. */
    @Test
    void any_memoryRunsOut_leavesNoLockHeldAndCountsRight() throws Exception {
        assertThat(errorsOf("memory", 40, Seed.option(), "-Xms10m", "-Xmx10m", "-XX:+UseSerialGC"))
                .isGreaterThan(40);
    }

    /** Runs the program, which ends well only if the limiter does, and returns how many errors there were. */
    private int errorsOf(String trouble, int rounds, String... options) throws IOException, InterruptedException {
        List<String> printed = new ChildJvm(
                        temp, KeyedLimiter.class, Arguments.class, KeyedErrorProgram.class, Seed.class)
                .runOn(
                        ChildJvm.java(Runtime.version().feature()).orElseThrow(),
                        KeyedErrorProgram.class,
                        List.of(options),
                        trouble,
                        Integer.toString(rounds));
        return Integer.parseInt(printed.get(0));
    }
}
