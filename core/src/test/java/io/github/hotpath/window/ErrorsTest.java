package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.LimiterErrors;
import io.github.hotpath.testing.ChildJvm;
import io.github.hotpath.testing.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A {@link StackOverflowError} or {@link OutOfMemoryError} anywhere inside a call leaves no lock held, nothing counted
 * wrongly, no entry that is never evicted, and nobody waiting in line. In a JVM of its own, because a call that never
 * returns would keep this one.
 */
@Timeout(1_500)
class ErrorsTest {
    private static ChildJvm jvm;

    @BeforeAll
    static void copyClasses(@TempDir Path temp) throws IOException {
        jvm = new ChildJvm(
                temp, EventWindow.class, LimiterErrors.class, Limiter.class, Arguments.class, ErrorProgram.class);
    }

    /** One of each kind. */
    @ParameterizedTest(name = "{0}, {1}, {4}")
    @CsvSource({
        "ConcurrentEventWindow, stack, 40, 20, -XX:+TieredCompilation", // as it is without any option
        "limiter, memory, 3, 1, -XX:+TieredCompilation"
    })
    void any_throwsAnError_leavesNoLockHeldAndCountsRight(
            String called, String trouble, int rounds, int least, String option) throws Exception {
        run(called, trouble, rounds, least, option);
    }

    @Tag("slow")
    @ParameterizedTest(name = "{0}, {1}, {4}")
    @CsvSource({
        "EventWindow, memory, 10, 3, -XX:+TieredCompilation",
        "EventWindow, stack, 40, 20, -XX:+TieredCompilation",
        "EventWindow, stack, 40, 20, -XX:TieredStopAtLevel=1",
        "EventWindow, stack, 15, 20, -Xint",
        "ConcurrentEventWindow, memory, 10, 3, -XX:+TieredCompilation",
        "ConcurrentEventWindow, stack, 40, 20, -XX:TieredStopAtLevel=1",
        "ConcurrentEventWindow, stack, 15, 20, -Xint",
        "limiter, stack, 40, 5, -XX:+TieredCompilation",
        "limiter, stack, 20, 5, -XX:TieredStopAtLevel=1",
        "keys, memory, 3, 1, -XX:+TieredCompilation",
        "keys, stack, 40, 5, -XX:+TieredCompilation",
        "keys, stack, 20, 5, -Xint",
        "new keys, stack, 300, 1, -XX:TieredStopAtLevel=1",
        "together, memory, 3, 1, -XX:+TieredCompilation",
        "together, stack, 40, 5, -XX:+TieredCompilation",
        "together, stack, 20, 5, -XX:TieredStopAtLevel=1",
        "BlockingLimiter, memory, 3, 1, -XX:+TieredCompilation",
        "BlockingLimiter, stack, 60, 5, -XX:+TieredCompilation",
        "BlockingLimiter, stack, 60, 5, -XX:TieredStopAtLevel=1",
        "BlockingLimiter, stack, 10, 5, -Xint"
    })
    void any_throwsAnErrorInOtherSituations_leavesNoLockHeldAndCountsRight(
            String called, String trouble, int rounds, int least, String option) throws Exception {
        run(called, trouble, rounds, least, option);
    }

    /**
     * See {@link StackDiver} and {@link MemoryShortage}.
     *
     * @param called what is called
     * @param trouble what runs out
     * @param rounds so many in each situation
     * @param least so many errors in each round at least
     * @param option how it is compiled
     */
    private static void run(String called, String trouble, int rounds, int least, String option) throws Exception {
        List<String> options = new ArrayList<>(List.of(option, Seed.option()));
        if (trouble.equals("memory")) {
            options.addAll(List.of("-Xms10m", "-Xmx10m", "-XX:+UseSerialGC"));
        }

        List<String> errors = jvm.run(ErrorProgram.class, options, called, trouble, Integer.toString(rounds));

        assertThat(Integer.parseInt(errors.get(0))).isGreaterThan(least * rounds);
    }
}
