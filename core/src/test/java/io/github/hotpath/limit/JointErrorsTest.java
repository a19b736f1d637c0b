package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorJvms.Run;
import io.github.hotpath.window.ErrorsInJvms;
import java.util.stream.Stream;

/** Errors inside calls on several limiters: no limit is exceeded, and no entry is never evicted. */
class JointErrorsTest extends ErrorsInJvms {
    JointErrorsTest() {
        super(SlidingWindowLimiter.class, JointErrorCalls.class);
    }

    @Override
    public Stream<Run> runs() {
        return Stream.of(
                Run.of("-XX:+TieredCompilation", 1, "memory", "12"),
                Run.of("-XX:+TieredCompilation", 5, "stack", "200"), // as it is without any option
                Run.of("-XX:TieredStopAtLevel=1", 5, "stack", "200"),
                Run.of("-Xint", 5, "stack", "50"));
    }
}
