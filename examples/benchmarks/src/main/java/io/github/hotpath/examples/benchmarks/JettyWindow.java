package io.github.hotpath.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.statistic.RateStatistic;

/** Jetty's, which has a clock of its own: a jump of the time as long as the interval makes all events so much older. */
final class JettyWindow extends RateStatistic implements Window {
    private final long intervalNanos;
    private long now;

    JettyWindow(long intervalNanos) {
        super(intervalNanos, TimeUnit.NANOSECONDS);
        this.intervalNanos = intervalNanos;
    }

    @Override
    public long record(long nanos) {
        moveOn(nanos);
        return record();
    }

    @Override
    public long count(long nanos) {
        moveOn(nanos);
        return getRate();
    }

    private void moveOn(long nanos) {
        if (nanos - now > intervalNanos) {
            age(nanos - now, TimeUnit.NANOSECONDS);
        }
        now = nanos;
    }
}
