package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.CallSequence;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Long random sequences of calls, each made on a {@link BoundedEventWindow} and on an {@link EventWindow}, whose count
 * must be between the bounds. The times are those of {@link EventWindowModelTest}, extreme ones included.
 */
class BoundedModelTest {
    private static final double[] ERRORS = {1, 0.1, 0.03, 0.005};

    private static final long[] INTERVALS = {
        0, 1, 10, 500, 1_000_000_007, (1L << 62) - 1, (1L << 62) + 3, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    @ParameterizedTest(name = "{0}, error {1}, interval {2}")
    @MethodSource("cases")
    void calls_inAnySequence_boundsHoldAndAreClose(Traffic.Kind kind, double error, long interval) {
        long[] starts = StartTimes.all().toArray();
        SplittableRandom random = Seed.random("bounded " + kind + error + interval);
        Traffic traffic = new Traffic(kind, interval, starts[random.nextInt(starts.length)], random);
        String setting = "BoundedEventWindow.of(Duration.ofNanos(" + interval + "L), " + error + ")";
        int every = kind.isLarge() ? 64 : 4;
        new CallSequence<>(setting, traffic.calls(600), calls -> {
                    Both windows = new Both(Windows.boundedOfNanos(interval, error), Windows.ofNanos(interval));
                    int made = 0;
                    for (Operation call : calls) {
                        windows.make(call);
                        if (++made % every == 0 || made == calls.size()) {
                            windows.check(call.nanos());
                        }
                    }
                })
                .run(Seed.hint());
    }

    static Stream<Arguments> cases() {
        return Stream.of(Traffic.Kind.values())
                .flatMap(kind -> DoubleStream.of(ERRORS)
                        .boxed()
                        .flatMap(error ->
                                LongStream.of(INTERVALS).mapToObj(interval -> Arguments.of(kind, error, interval))));
    }

    private static final class Both {
        private final BoundedEventWindow bounded;
        private final EventWindow exact;

        /** The events that were out of order and not ignored. */
        private long outOfOrder;

        Both(BoundedEventWindow bounded, EventWindow exact) {
            this.bounded = bounded;
            this.exact = exact;
        }

        /** Makes the call: a count is that of both bounds, and one that records and counts records several. */
        void make(Operation call) {
            long nanos = call.nanos();
            switch (call.member()) {
                case RECORD -> record(nanos, 1);
                case RECORD_AND_COUNT -> record(nanos, 1 + Math.floorMod(nanos, 7));
                case COUNT_SPAN -> check(nanos, Duration.ofNanos(call.argument()));
                case TRIM -> {
                    bounded.trim(nanos);
                    exact.trim(nanos);
                }
                case CLEAR -> {
                    bounded.clear();
                    exact.clear();
                    outOfOrder = 0;
                }
                default -> check(nanos);
            }
        }

        private void record(long nanos, int events) {
            long before = exact.size();
            boolean isLate = exact.isStarted() && nanos - exact.latest() < 0;
            bounded.record(nanos, events);
            for (int i = 0; i < events; i++) {
                exact.record(nanos);
            }
            outOfOrder += isLate ? exact.size() - before : 0;
        }

        void check(long nanos) {
            String before = Insides.state(bounded);
            Insides.check(bounded, outOfOrder);
            long count = exact.count(nanos);
            check(count, bounded.countAtLeast(nanos), bounded.countAtMost(nanos));
            check(nanos, exact.interval());
            assertThat(Insides.state(bounded)).as("reads change nothing").isEqualTo(before);
        }

        private void check(long nanos, Duration span) {
            check(exact.count(nanos, span), bounded.countAtLeast(nanos, span), bounded.countAtMost(nanos, span));
        }

        private void check(long count, long atLeast, long atMost) {
            double error = bounded.maxRelativeError();
            assertThat(atLeast).isBetween(0L, count);
            assertThat(atMost).isGreaterThanOrEqualTo(count);
            if (count <= 1 / error) {
                assertThat(atLeast).as("exact up to 1 / %s", error).isEqualTo(atMost);
            }
            assertThat((double) (atMost - atLeast))
                    .as("width of %s", count)
                    .isLessThanOrEqualTo(error * count + outOfOrder);
        }
    }
}
