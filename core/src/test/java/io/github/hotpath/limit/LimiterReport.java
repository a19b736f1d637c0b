package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.fuzz.Shortest;
import io.github.hotpath.testing.Seed;
import java.util.List;
import java.util.stream.Collectors;

/** The description of a failed sequence of calls. */
final class LimiterReport {
    private LimiterReport() {}

    /** Returns the code that makes such a limiter. */
    static String setting(List<Limit> limits) {
        return limits.stream()
                .map(limit -> "Limit.%s(%dL, Duration.ofNanos(%dL))"
                        .formatted(
                                limit.isPerCall() ? "ofCalls" : "of",
                                limit.max(),
                                limit.interval().toNanos()))
                .collect(Collectors.joining(
                        ", ",
                        "List<Reservation> reservations = new ArrayList<>();\n"
                                + "SlidingWindowLimiter limiter = SlidingWindowLimiter.of(",
                        ");"));
    }

    /**
     * Makes the calls on a new limiter and on the model, and checks it as a whole after every {@code every} of them;
     * throws where they differ.
     */
    static void check(List<Limit> limits, List<LimiterCall> calls, int every) {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limits);
        LimiterCalls subject = LimiterCalls.on(limiter);
        NaiveLimiter model = new NaiveLimiter(limits);
        LimiterCalls expected = LimiterCalls.on(model);
        int made = 0;
        for (LimiterCall call : calls) {
            assertThat(call.on(subject)).as(call.toString()).isEqualTo(call.on(expected));
            if (++made % every == 0) {
                Invariants.check(limiter);
                assertThat(limiter.available(call.nanos())).isEqualTo(model.available(call.nanos()));
                assertThat(limiter.isIdle(call.nanos())).isEqualTo(model.isIdle(call.nanos()));
            }
        }
    }

    /** Describes how to reproduce {@code failure}: by the seed, and by the fewest of these calls that still fail. */
    static String of(List<Limit> limits, List<LimiterCall> calls, int every, Throwable failure) {
        List<LimiterCall> shortest = Shortest.of(calls, some -> fails(limits, some, every));
        return "%s%nThe calls that differ first; %s%n%s%n%s"
                .formatted(
                        failure,
                        Seed.hint(),
                        setting(limits),
                        shortest.stream().map(LimiterCall::toString).collect(Collectors.joining("\n")));
    }

    private static boolean fails(List<Limit> limits, List<LimiterCall> calls, int every) {
        try {
            check(limits, calls, every);
            return false;
        } catch (RuntimeException | AssertionError e) {
            return true;
        }
    }
}
