package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Clock;
import com.codahale.metrics.Meter;
import com.codahale.metrics.SlidingTimeWindowArrayReservoir;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockReadingsTest {
    private static final int CALLS = 1_000;
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final AtomicLong read = new AtomicLong();
    private final LongSupplier clock = read::incrementAndGet;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "the clock alone",
                "SlidingWindowLimiter",
                "EventWindow, locked",
                "SmallRye (rolling)",
                "Bucket4j (tokens)",
                "Resilience4j (cycles)",
                "Guava (smooth)",
                "SlidingWindowLimiter, reserve",
                "BlockingLimiter, acquire",
                "Bucket4j (tokens), consume"
            })
    void limiter_readsItsClockAsOftenAsTheTableSays(String limiter) throws InterruptedException {
        Limiters.Call call = Limiters.of(limiter, 2 * CALLS, INTERVAL, false, clock);
        call.ask(1);
        read.set(0);

        for (int i = 0; i < CALLS; i++) {
            call.ask(1);
        }

        assertThat(ClockReadings.of(limiter, false)).startsWith(read.get() / CALLS + ":");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SlidingWindowLimiter, for all",
                "KeyedLimiter",
                "Bucket4j in a Caffeine cache",
                "Bucket4j in a Caffeine cache, one reading",
                "bucket4j-caffeine",
                "Bucket4j in a ConcurrentHashMap",
                "Resilience4j's registry"
            })
    void key_readsItsClockAsOftenAsTheTableSays(String limiter) {
        ToLongFunction<String> call = Keys.of(limiter, 2 * CALLS, INTERVAL, false, clock);
        call.applyAsLong(Keys.HOT);
        read.set(0);

        for (int i = 0; i < CALLS; i++) {
            assertThat(call.applyAsLong(Keys.HOT)).isZero();
        }

        assertThat(ClockReadings.of(limiter, false)).startsWith(read.get() / CALLS + ":");
    }

    @Test
    void dropwizard_readsItsClockToRecordAndToCount() {
        Clock ticks = new Clock() {
            @Override
            public long getTick() {
                return clock.getAsLong();
            }
        };
        Meter meter = new Meter(ticks);
        SlidingTimeWindowArrayReservoir array = new SlidingTimeWindowArrayReservoir(1, TimeUnit.HOURS, ticks);
        read.set(0);

        meter.mark();
        meter.getOneMinuteRate();
        assertThat(ofCounted("Dropwizard, Meter")).startsWith(read.getAndSet(0) + ":");

        array.update(1);
        array.size();
        assertThat(ofCounted("Dropwizard, array")).startsWith(read.get() + ":");
    }

    private static String ofCounted(String counter) {
        return ClockReadings.of(Map.of("counter", counter, "method", "recordAndCount"))
                .orElseThrow();
    }
}
