package io.github.hotpath.window;

import io.github.hotpath.window.ErrorJvms.Run;
import java.util.stream.Stream;

/** Errors inside calls on a window, which counts right afterwards. */
class ErrorsTest extends ErrorsInJvms {
    ErrorsTest() {
        super(EventWindow.class, WindowErrorProgram.class);
    }

    @Override
    public Stream<Run> runs() {
        return Stream.of(EventWindow.class.getSimpleName(), ConcurrentEventWindow.class.getSimpleName())
                .flatMap(window -> Stream.of(
                        Run.of("-XX:+TieredCompilation", 3, window, "memory", "8"),
                        Run.of("-XX:+TieredCompilation", 20, window, "stack", "40"), // as it is without any option
                        Run.of("-XX:TieredStopAtLevel=1", 20, window, "stack", "40"),
                        Run.of("-Xint", 20, window, "stack", "15")));
    }
}
