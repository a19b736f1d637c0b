package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.CallSequence;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Long random sequences of calls, each made on a window and on {@link NaiveWindow}, which decides what is right.
 *
 * <p>Sequences, because no single call fails: a window is broken by a chunk released too early, a head one
 * place off or a spare in use twice, which shows many calls later.
 */
class EventWindowModelTest {
    private static final long[] INTERVALS = {
        0, 10, 500, 5_000, 1_000_000_007, (1L << 62) - 1, (1L << 62) + 3, Long.MAX_VALUE
    };

    @ParameterizedTest(name = "{0}, interval {1}, from {2}")
    @MethodSource("cases")
    void calls_inAnySequence_answerAsTheModel(Traffic.Kind kind, long interval, long start) {
        Traffic traffic = new Traffic(kind, interval, start, Seed.random(kind + " " + interval + " " + start));
        String setting = "EventWindow.of(Duration.ofNanos(" + interval + "L))";
        new CallSequence<>(setting, traffic.calls(300), calls -> check(interval, calls)).run(Seed.hint());
    }

    private static void check(long interval, List<Operation> calls) {
        EventWindow window = Windows.ofNanos(interval);
        NaiveWindow model = new NaiveWindow(interval);
        int unseen = 0;
        for (Operation call : calls) {
            Object expected = call.on(AnyWindow.model(model));
            assertThat(call.on(AnyWindow.exact(window))).isEqualTo(expected);
            // After each call; in a large window, where it takes long, after some.
            if (++unseen > model.size() / 32) {
                assertThatWindow(window).holds(model.toArray());
                unseen = 0;
            }
        }
        assertThatWindow(window).holds(model.toArray());
    }

    static Stream<Arguments> cases() {
        return Stream.of(Traffic.Kind.values())
                .flatMap(kind -> LongStream.of(INTERVALS)
                        .boxed()
                        .flatMap(interval ->
                                starts(kind, interval).mapToObj(start -> Arguments.of(kind, interval, start))));
    }

    /**
     * Traffic that takes long starts an interval before the wrap, so that the clock wraps when thousands are in the
     * window; the rest starts anywhere.
     */
    private static LongStream starts(Traffic.Kind kind, long interval) {
        return kind.isLarge() ? LongStream.of(Long.MAX_VALUE - interval) : StartTimes.all();
    }
}
