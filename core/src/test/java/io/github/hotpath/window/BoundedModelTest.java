package io.github.hotpath.window;

import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Long random sequences of calls, each made on a {@link BoundedEventWindow} and compared with {@link BoundedModel}. The
 * times are those of {@link EventWindowModelTest}, extreme ones included; the windows are small enough to compare every
 * event. For large ones there is {@link BoundedTrafficTest}.
 */
class BoundedModelTest {
    private static final double[] ERRORS = {1, 0.5, 0.1, 0.03};

    private static final long[] INTERVALS = {
        0, 1, 10, 500, 1_000_000_007, (1L << 62) - 1, (1L << 62) + 3, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    @ParameterizedTest(name = "{0}, error {1}, interval {2}")
    @MethodSource("cases")
    void calls_inAnySequence_boundsHold(Traffic.Kind kind, double error, long interval) {
        long[] starts = StartTimes.all().toArray();
        SplittableRandom random = Seed.random("bounded " + kind + error + interval);
        Traffic traffic = new Traffic(kind, interval, starts[random.nextInt(starts.length)], random);
        BoundedEventWindow window = Windows.boundedOfNanos(interval, error);
        BoundedModel model = new BoundedModel(interval, error);
        List<Operation> calls = new ArrayList<>();

        for (int left = kind.isLarge() ? 2_000 : 600; left > 0; left--) {
            Operation call = traffic.next();
            calls.add(call);
            try {
                make(call, window, model);
                if (left % 4 == 0) {
                    model.check(window, call.nanos());
                }
            } catch (RuntimeException | AssertionError e) {
                String text = "BoundedEventWindow.of(Duration.ofNanos(" + interval + "L), " + error + ")";
                throw new AssertionError(EventWindowModelTest.report(text, calls, e), e);
            }
        }
    }

    /** Makes the call on both: a count is that of both bounds, and one that records and counts records several. */
    private static void make(Operation call, BoundedEventWindow window, BoundedModel model) {
        long nanos = call.nanos();
        switch (call.member()) {
            case RECORD, RECORD_AND_COUNT -> {
                int events = call.member() == Operation.Member.RECORD ? 1 : 1 + Math.floorMod(nanos, 7);
                window.record(nanos, events);
                model.record(nanos, events);
            }
            case COUNT_SPAN -> model.check(window, nanos, call.argument());
            case TRIM -> {
                window.trim(nanos);
                model.trim(nanos);
            }
            case CLEAR -> {
                window.clear();
                model.clear();
            }
            default -> model.check(window, nanos);
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(Traffic.Kind.values())
                .flatMap(kind -> DoubleStream.of(ERRORS)
                        .boxed()
                        .flatMap(error ->
                                LongStream.of(INTERVALS).mapToObj(interval -> Arguments.of(kind, error, interval))));
    }
}
