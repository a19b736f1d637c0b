package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.ConcurrentEventWindow;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Events that are counted in a window and show as a registry's gauges, one for each span. Thread-safe. */
final class WindowGauges {
    private final Clock clock;
    private final ConcurrentEventWindow window;

    /** Registers a gauge {@code name} for each of {@code spans}, which it has as its tag. */
    WindowGauges(String name, List<Duration> spans, MeterRegistry registry) {
        clock = registry.config().clock(); // its nanoseconds, so that the registry's mock clock is the window's too
        window = ConcurrentEventWindow.of(Collections.max(spans));
        for (Duration span : spans) {
            // The gauge references a supplier strongly, an object only weakly: with that it could become NaN.
            Gauge.builder(name, () -> window.count(clock.monotonicTime(), span))
                    .tag("span", span.toString())
                    .baseUnit("events")
                    .register(registry);
        }
    }

    void record() {
        window.record(clock.monotonicTime());
    }
}
