package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.BoundedEventWindow;
import io.github.hotpath.window.EventWindow;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Counts events, and tells their rate in several spans and since the start, and the busiest second. Thread-safe. */
final class Meter {
    private static final Duration SECOND = Duration.ofSeconds(1).minusNanos(1);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Duration longestSpan;
    private final LongConsumer window;
    private final SpanCount counts;
    private final LongSupplier nanoClock;
    private final long start;
    private long total;
    private long busiestSecond;

    private Meter(Duration longestSpan, LongConsumer window, SpanCount counts, LongSupplier nanoClock) {
        this.longestSpan = longestSpan;
        this.window = window;
        this.counts = counts;
        this.nanoClock = nanoClock;
        start = nanoClock.getAsLong();
    }

    /** Returns an exact meter. It retains the events of the longest span, a second or more: 8 bytes each. */
    static Meter exact(Duration longestSpan, LongSupplier nanoClock) {
        EventWindow window = EventWindow.of(interval(longestSpan));
        return new Meter(longestSpan, window::record, window::count, nanoClock);
    }

    /**
     * Returns a meter for more events than memory holds. If they come in order, its counts and rates are wrong by at
     * most half of {@code maxRelativeError}; with 0.01 it takes 40 KB for ten million events.
     */
    static Meter bounded(Duration longestSpan, double maxRelativeError, LongSupplier nanoClock) {
        BoundedEventWindow window = BoundedEventWindow.of(interval(longestSpan), maxRelativeError);
        SpanCount counts = (nanos, span) -> (window.countAtLeast(nanos, span) + window.countAtMost(nanos, span)) / 2;
        return new Meter(longestSpan, window::record, counts, nanoClock);
    }

    /** Counts what a window has in a span. */
    private interface SpanCount {
        long count(long nanos, Duration span);
    }

    /** Returns the interval of the window of a meter. */
    private static Duration interval(Duration longestSpan) {
        if (longestSpan.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("longestSpan: " + longestSpan + " (expected: a second or more)");
        }
        return longestSpan.minusNanos(1);
    }

    /**
     * Returns a span for the window, which is closed at both ends: ten a second would be eleven in a span of a second
     * that begins and ends with an event. So all spans are a nanosecond shorter here.
     */
    private Duration halfOpen(Duration span) {
        if (span.isZero() || span.isNegative() || span.compareTo(longestSpan) > 0) {
            throw new IllegalArgumentException("span: " + span + " (expected: over 0, up to " + longestSpan + ")");
        }
        return span.minusNanos(1);
    }

    synchronized void record() {
        long now = nanoClock.getAsLong(); // inside the lock, so that times are in order
        window.accept(now);
        total++;
        busiestSecond = Math.max(busiestSecond, counts.count(now, SECOND));
    }

    /** Returns the number of events in the last {@code span}, up to the longest. */
    synchronized long count(Duration span) {
        return counts.count(nanoClock.getAsLong(), halfOpen(span));
    }

    /** Returns the events per second in the last {@code span}, or since the start if that is shorter. */
    synchronized double perSecond(Duration span) {
        long now = nanoClock.getAsLong();
        return rate(counts.count(now, halfOpen(span)), Math.min(span.toNanos(), sinceStart(now)));
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

    /**
     * Registers gauges: {@code name.rate} for each of {@code spans}, which is its tag, and {@code name.busiest}.
     *
     * @throws IllegalArgumentException if the registry has gauges of that name: it would ignore these
     */
    void bindTo(MeterRegistry registry, String name, List<Duration> spans) {
        if (registry.find(name + ".busiest").gauge() != null) {
            throw new IllegalArgumentException("name: " + name + " (expected: one that the registry does not have)");
        }
        spans.forEach(this::halfOpen); // a gauge whose supplier throws would be NaN
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
