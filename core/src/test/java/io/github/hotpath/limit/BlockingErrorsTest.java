package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorJvms.Run;
import io.github.hotpath.window.ErrorsInJvms;
import java.util.stream.Stream;

/** Errors inside calls that wait: nobody is left in line, and the next one goes on. */
class BlockingErrorsTest extends ErrorsInJvms {
    BlockingErrorsTest() {
        super(BlockingLimiter.class, BlockingErrorProgram.class);
    }

    @Override
    public Stream<Run> runs() {
        return Stream.of(
                Run.of("-XX:+TieredCompilation", 1, "memory", "8"),
                Run.of("-Xint", 5, "stack", "10"),
                Run.of("-XX:+TieredCompilation", 5, "stack", "60"), // as it is without any option
                Run.of("-XX:TieredStopAtLevel=1", 5, "stack", "60"));
    }
}
