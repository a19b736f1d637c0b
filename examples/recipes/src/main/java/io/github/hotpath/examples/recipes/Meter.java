package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.EventWindow;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts events, and tells their rate in several spans and since the start, and the busiest second. Thread-safe. It
 * retains the events of the longest span, 8 bytes each.
 */
final class Meter {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /*
     * A window is closed at both ends: ten a second would be eleven in a span of a second that begins and ends with an
     * event. So all spans are a nanosecond shorter here.
     */

    private final LongSupplier nanoClock;
    private final EventWindow events;
    private final EventWindow second = EventWindow.of(Duration.ofSeconds(1).minusNanos(1));
    private final long start;
    private long total;
    private long busiestSecond;

    Meter(Duration longestSpan, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        events = EventWindow.of(longestSpan);
        start = nanoClock.getAsLong();
    }

    synchronized void record() {
        long now = nanoClock.getAsLong(); // inside the lock, so that times are in order
        events.record(now);
        total++;
        busiestSecond = Math.max(busiestSecond, second.record(now));
    }

    /** Returns the number of events in the last {@code span}, up to the longest. */
    synchronized long count(Duration span) {
        return events.count(nanoClock.getAsLong(), span.minusNanos(1));
    }

    /** Returns the events per second in the last {@code span}, or since the start if that is shorter. */
    synchronized double perSecond(Duration span) {
        long now = nanoClock.getAsLong();
        return rate(events.count(now, span.minusNanos(1)), Math.min(span.toNanos(), sinceStart(now)));
    }

    /** Returns the events per second since the start. */
    synchronized double perSecond() {
        return rate(total, sinceStart(nanoClock.getAsLong()));
    }

    /** Returns the most events that were ever in a time span of one second. */
    synchronized long busiestSecond() {
        return busiestSecond;
    }

    /** Returns at least a second: one event in the first microsecond is no million a second. */
    private long sinceStart(long now) {
        return Math.max(now - start, TimeUnit.SECONDS.toNanos(1));
    }

    private static double rate(long events, long nanos) {
        return events * NANOS_PER_SECOND / nanos;
    }

    /** Registers gauges: {@code name.rate} for each of {@code spans}, which is its tag, and {@code name.busiest}. */
    void bindTo(MeterRegistry registry, String name, List<Duration> spans) {
        for (Duration span : spans) {
            // A gauge references a supplier strongly, but an object only weakly: with that it could become NaN.
            Gauge.builder(name + ".rate", () -> perSecond(span))
                    .tag("span", span.toString())
                    .baseUnit("events/s")
                    .register(registry);
        }
        Gauge.builder(name + ".busiest", this::busiestSecond).register(registry);
    }
}
