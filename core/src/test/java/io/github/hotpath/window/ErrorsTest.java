package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.files.ChildJvm;
import io.github.hotpath.internal.Arguments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A {@link StackOverflowError} or {@link OutOfMemoryError} anywhere inside a call leaves no lock held and no window that
 * counts wrongly. In JVMs of their own, because a call that never returns would keep this one.
 */
@Tag("slow")
@Timeout(120)
class ErrorsTest {
    @TempDir
    Path temp;

    /** How to run a program: on which JDK, with which option, for which class of windows, and for how long. */
    private record Run(int jdk, String option, Class<?> window, int rounds) {
        /** On the JDK of this test: the build is run on each that is supported. */
        static Stream<Run> ofBoth(String option, int rounds) {
            return Stream.of(EventWindow.class, ConcurrentEventWindow.class)
                    .map(window -> new Run(Runtime.version().feature(), option, window, rounds));
        }
    }

    static Stream<Run> overflowing() {
        return Stream.of(
                        Run.ofBoth("-XX:+TieredCompilation", 40), // as it is without any option
                        Run.ofBoth("-XX:TieredStopAtLevel=1", 40),
                        Run.ofBoth("-Xint", 15))
                .flatMap(runs -> runs);
    }

    /** Threads that call a window at each depth of an overflowing stack; see {@link StackOverflowProgram}. */
    @ParameterizedTest
    @MethodSource("overflowing")
    void any_stackOverflows_leavesNoLockHeldAndCountsRight(Run run) throws IOException, InterruptedException {
        int errors = errorsOf(StackOverflowProgram.class, run, List.of());

        assertThat(errors).isGreaterThan(20 * run.rounds);
    }

    static Stream<Run> runningOut() {
        return Stream.of(Run.ofBoth("-XX:+TieredCompilation", 15), Run.ofBoth("-Xint", 15))
                .flatMap(runs -> runs);
    }

    /** Threads that call a window while memory is full but for a few bytes; see {@link OutOfMemoryProgram}. */
    @ParameterizedTest
    @MethodSource("runningOut")
    void any_memoryRunsOut_leavesNoLockHeldAndCountsRight(Run run) throws IOException, InterruptedException {
        int errors = errorsOf(OutOfMemoryProgram.class, run, List.of("-Xms10m", "-Xmx10m", "-XX:+UseSerialGC"));

        assertThat(errors).isGreaterThan(3 * run.rounds);
    }

    /** Runs the program, which ends well only if the windows do, and returns how many errors there were. */
    private int errorsOf(Class<?> program, Run run, List<String> memory) throws IOException, InterruptedException {
        Optional<Path> java = ChildJvm.java(run.jdk);
        assumeTrue(java.isPresent(), "no JDK " + run.jdk + " beside this one");
        List<String> options = new ArrayList<>(memory);
        options.add(run.option);
        options.add(Seed.option());
        List<String> printed = new ChildJvm(temp, EventWindow.class, Arguments.class, ErrorsTest.class)
                .runOn(java.get(), program, options, run.window.getSimpleName(), Integer.toString(run.rounds));
        return Integer.parseInt(printed.get(0));
    }
}
