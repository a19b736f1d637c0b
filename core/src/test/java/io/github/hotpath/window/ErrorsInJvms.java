package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.ErrorJvms.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A {@link StackOverflowError} or {@link OutOfMemoryError} anywhere inside a call leaves what its {@link ErrorProgram}
 * checks: no lock is held, and nothing is counted wrongly. In JVMs of their own, because a call that never returns
 * would keep this one.
 */
@Tag("slow")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ErrorsInJvms {
    private final Class<?> subject;
    private final Class<?> program;
    private ErrorJvms jvms;

    /** Calls {@code subject} in a {@code program}. */
    protected ErrorsInJvms(Class<?> subject, Class<?> program) {
        this.subject = subject;
        this.program = program;
    }

    /** Returns how the program is to be run. */
    public abstract Stream<Run> runs();

    @BeforeAll // public, as all that JUnit calls here: a test of another package may run without this one's
    public void start(@TempDir Path temp) throws IOException {
        jvms = new ErrorJvms(temp, subject, program, runs().toList());
    }

    @AfterAll
    public void end() {
        jvms.close();
    }

    /** See {@link StackDiver} and {@link MemoryShortage}. */
    @ParameterizedTest
    @MethodSource("runs")
    public void any_throwsAnError_leavesNoLockHeldAndCountsRight(Run run) throws Exception {
        assertThat(jvms.errorsOf(run)).isGreaterThan(run.leastErrors());
    }
}
