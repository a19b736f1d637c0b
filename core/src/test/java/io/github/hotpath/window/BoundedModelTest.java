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
        List<Object> calls = new ArrayList<>();

        for (int left = kind.isLarge() ? 4_000 : 1_000; left > 0; left--) {
            Operation operation = traffic.next();
            BoundedOperation call = BoundedOperation.like(operation);
            calls.add(call);
            try {
                call.on(window, model);
                if (left % 4 == 0) {
                    model.check(window, operation.nanos());
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(report(interval, error, calls, e), e);
            }
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(Traffic.Kind.values())
                .flatMap(kind -> DoubleStream.of(ERRORS)
                        .boxed()
                        .flatMap(error ->
                                LongStream.of(INTERVALS).mapToObj(interval -> Arguments.of(kind, error, interval))));
    }

    /** Describes how to reproduce {@code failure}, by the seed or by these calls on a new window. */
    private static String report(long interval, double error, List<Object> calls, Throwable failure) {
        StringBuilder report = new StringBuilder();
        report.append(failure)
                .append("\nThe calls, of which the last went wrong; ")
                .append(Seed.hint());
        report.append('\n').append(setting(interval, error));
        calls.forEach(call -> report.append('\n').append(call));
        return report.toString();
    }

    static String setting(long interval, double error) {
        return "BoundedEventWindow window = BoundedEventWindow.of(Duration.ofNanos(%dL), %s);"
                .formatted(interval, error);
    }
}
