package io.github.hotpath.examples.benchmarks;

import com.codahale.metrics.Clock;
import com.codahale.metrics.Reservoir;
import com.codahale.metrics.SlidingTimeWindowArrayReservoir;
import java.util.concurrent.TimeUnit;

/** Dropwizard's reservoir in an array, with a clock that is set to the time passed. */
record ReservoirWindow(Reservoir reservoir, HandedInClock clock) implements Window {
    static Window ofArray(long intervalNanos) {
        HandedInClock clock = new HandedInClock();
        return new ReservoirWindow(
                new SlidingTimeWindowArrayReservoir(intervalNanos, TimeUnit.NANOSECONDS, clock), clock);
    }

    @Override
    public long record(long nanos) {
        clock.nanos = nanos;
        reservoir.update(1);
        return nanos;
    }

    @Override
    public long count(long nanos) {
        clock.nanos = nanos;
        return reservoir.size();
    }

    private static final class HandedInClock extends Clock {
        private long nanos;

        @Override
        public long getTick() {
            return nanos;
        }
    }
}
