package io.github.hotpath.examples.benchmarks;

import io.smallrye.faulttolerance.core.rate.limit.TimeWindow;
import java.util.concurrent.TimeUnit;

/** SmallRye's, which admits events up to a limit, and does not count them. */
final class SmallRyeWindow implements Window {
    private final TimeWindow window;
    private long now;

    SmallRyeWindow(long intervalNanos, int limit) {
        window = TimeWindow.createRolling(
                () -> () -> TimeUnit.NANOSECONDS.toMillis(now), limit, TimeUnit.NANOSECONDS.toMillis(intervalNanos), 0);
    }

    @Override
    public long record(long nanos) {
        now = nanos;
        return window.record();
    }

    @Override
    public long count(long nanos) {
        throw new UnsupportedOperationException("SmallRye's window does not count");
    }
}
