package io.github.hotpath.limit;

import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Long random sequences of calls, each made on a limiter and on {@link NaiveLimiter}, which decides what is right.
 *
 * <p>Sequences, because no single call fails: a limiter is broken by a cursor or a sum that is one entry off, a
 * time published for too long, or an entry that a cancellation has moved, which shows many calls later. A check of the
 * whole limiter moves its windows, so there is one after each call in some sequences and few in others.
 */
class LimiterModelTest {

    @ParameterizedTest(name = "{0}, from {1}")
    @MethodSource("cases")
    void calls_inAnySequence_answerAsTheModel(LimiterTraffic.Kind kind, long start) {
        SplittableRandom random = Seed.random(kind + " " + start);
        for (int sequence = kind.isLarge() ? 1 : 12; sequence > 0; sequence--) {
            List<Limit> limits = LimiterTraffic.limits(kind, random);
            List<LimiterCall> calls = calls(kind, limits, start, random.split());
            int every = kind.isLarge() || sequence % 3 == 0 ? 50 : sequence % 3 == 1 ? 7 : 1;
            try {
                LimiterReport.check(limits, calls, every);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(LimiterReport.of(limits, calls, every, e), e);
            }
        }
    }

    static List<LimiterCall> calls(LimiterTraffic.Kind kind, List<Limit> limits, long start, SplittableRandom random) {
        LimiterTraffic traffic = new LimiterTraffic(kind, limits, start, random);
        NaiveLimiter model = new NaiveLimiter(limits);
        LimiterCalls expected = LimiterCalls.on(model);
        List<LimiterCall> calls = new ArrayList<>();
        for (int left = kind.isLarge() ? 12_000 : 250; left > 0; left--) {
            LimiterCall call = traffic.next(model);
            call.on(expected);
            calls.add(call);
        }
        return calls;
    }

    static Stream<Arguments> cases() {
        return Stream.of(LimiterTraffic.Kind.values())
                .flatMap(kind -> starts(kind).mapToObj(start -> Arguments.of(kind, start)));
    }

    private static LongStream starts(LimiterTraffic.Kind kind) {
        return kind.isLarge() ? LongStream.of(0, Long.MAX_VALUE - (1L << 41), -1L << 40) : StartTimes.all();
    }
}
