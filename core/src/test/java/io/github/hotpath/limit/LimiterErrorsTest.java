package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorJvms.Run;
import io.github.hotpath.window.ErrorsInJvms;
import java.util.stream.Stream;

/** Errors inside calls on a limiter, on keys, and on several: no limit is exceeded, and no entry is never evicted. */
class LimiterErrorsTest extends ErrorsInJvms {
    LimiterErrorsTest() {
        super(SlidingWindowLimiter.class, LimiterErrorProgram.class);
    }

    @Override
    public Stream<Run> runs() {
        return Stream.of("limiter", "keys", "together")
                .flatMap(kind -> Stream.of(
                        Run.of("-XX:+TieredCompilation", 1, kind, "memory", "3"),
                        Run.of("-XX:+TieredCompilation", 5, kind, "stack", "40"), // as it is without any option
                        Run.of(kind.equals("keys") ? "-Xint" : "-XX:TieredStopAtLevel=1", 5, kind, "stack", "20")));
    }
}
