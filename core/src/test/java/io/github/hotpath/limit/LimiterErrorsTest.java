package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorJvms.Run;
import io.github.hotpath.window.ErrorsInJvms;
import java.util.stream.Stream;

/** Errors inside calls on a limiter, which grants no more afterwards. */
class LimiterErrorsTest extends ErrorsInJvms {
    LimiterErrorsTest() {
        super(SlidingWindowLimiter.class, LimiterErrorProgram.class);
    }

    @Override
    public Stream<Run> runs() {
        return Stream.of(
                Run.of("-XX:+TieredCompilation", 3, "memory", "4"),
                Run.of("-Xint", 20, "stack", "5"),
                Run.of("-XX:+TieredCompilation", 20, "stack", "20"), // as it is without any option
                Run.of("-XX:TieredStopAtLevel=1", 20, "stack", "20"));
    }
}
