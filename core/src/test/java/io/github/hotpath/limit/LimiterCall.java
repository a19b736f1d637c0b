package io.github.hotpath.limit;

import java.util.function.BiFunction;

/**
 * A call of a public member of {@link SlidingWindowLimiter} or of a {@link Reservation} of it, to be made on both a
 * limiter and the model. Reads as the statement it is.
 *
 * @param argument the longest delay, the duration, or how many reservations before the last one
 */
record LimiterCall(Member member, long nanos, int permits, long argument) {
    enum Member {
        TRY_ACQUIRE(
                "limiter.tryAcquire(%1$dL, %2$d);", (limiter, call) -> limiter.tryAcquire(call.nanos, call.permits)),
        TRY_ACQUIRE_OR_DELAY(
                "limiter.tryAcquireOrDelay(%1$dL, %2$d);",
                (limiter, call) -> limiter.tryAcquireOrDelay(call.nanos, call.permits)),
        RESERVE(
                "reservations.add(limiter.reserve(%1$dL, %2$d, Duration.ofNanos(%3$dL)));",
                (limiter, call) -> limiter.reserveNext(call.nanos, call.permits, call.argument)),
        ADJUST(
                "reservations.get(reservations.size() - 1 - %3$d).adjustTo(%2$d);",
                (limiter, call) -> limiter.adjustEarlier((int) call.argument, call.permits)),
        RECORD(
                "limiter.record(%1$dL, %2$d);",
                (limiter, call) -> {
                    limiter.record(call.nanos, call.permits);
                    return "nothing";
                }),
        CLOSE_FOR(
                "limiter.closeFor(%1$dL, Duration.ofNanos(%3$dL));",
                (limiter, call) -> {
                    limiter.closeFor(call.nanos, call.argument);
                    return "nothing";
                }),
        DECIDE(
                "limiter.decide(%1$dL, %2$d);",
                (limiter, call) -> limiter.decide(call.nanos, call.permits).toString()),
        PEEK(
                "limiter.peek(%1$dL, %2$d);",
                (limiter, call) -> limiter.peek(call.nanos, call.permits).toString()),
        AVAILABLE("limiter.available(%1$dL);", (limiter, call) -> limiter.available(call.nanos)),
        IS_IDLE("limiter.isIdle(%1$dL);", (limiter, call) -> limiter.isIdle(call.nanos)),
        CLEAR("limiter.clear();", (limiter, call) -> {
            limiter.clear();
            return "nothing";
        }),
        TO_STRING("limiter.toString();", (limiter, call) -> limiter.toString());

        private final String form;
        private final BiFunction<LimiterCalls, LimiterCall, Object> call;

        Member(String form, BiFunction<LimiterCalls, LimiterCall, Object> call) {
            this.form = form;
            this.call = call;
        }
    }

    Object on(LimiterCalls limiter) {
        return member.call.apply(limiter, this);
    }

    @Override
    public String toString() {
        return member.form.formatted(nanos, permits, argument);
    }
}
