package io.github.hotpath.window;

import java.time.Duration;
import java.util.function.BiFunction;

/**
 * A call of a public member of {@link EventWindow}, to be made on a window and on the model. Reads as the statement it
 * is.
 */
record Operation(Member member, long nanos, long argument) {

    /** Every public member, on either of the two, and how it is written down. */
    enum Member {
        RECORD("record(%dL)", (window, call) -> window.record(call.nanos), (model, call) -> model.record(call.nanos)),
        COUNT("count(%dL)", (window, call) -> window.count(call.nanos), (model, call) -> model.count(call.nanos)),
        COUNT_SPAN(
                "count(%dL, Duration.ofNanos(%dL))",
                (window, call) -> window.count(call.nanos, Duration.ofNanos(call.argument)),
                (model, call) -> model.count(call.nanos, call.argument)),
        TRY_RECORD(
                "tryRecord(%dL, %d)",
                (window, call) -> window.tryRecord(call.nanos, call.limit()),
                (model, call) -> model.tryRecord(call.nanos, call.limit())),
        NANOS_UNTIL_BELOW(
                "nanosUntilBelow(%dL, %d)",
                (window, call) -> window.nanosUntilBelow(call.nanos, call.limit()),
                (model, call) -> model.nanosUntilBelow(call.nanos, call.limit())),
        TRIM(
                "trim(%dL)",
                (window, call) -> run(() -> window.trim(call.nanos)),
                (model, call) -> run(() -> model.trim(call.nanos))),
        CLEAR("clear()", (window, call) -> run(window::clear), (model, call) -> run(model::clear)),
        TO_ARRAY("toArray()", (window, call) -> window.toArray(), (model, call) -> model.toArray()),
        TO_STRING("toString()", (window, call) -> window.toString(), (model, call) -> model.toString());

        private final String form;
        private final BiFunction<EventWindow, Operation, Object> onWindow;
        private final BiFunction<NaiveWindow, Operation, Object> onModel;

        Member(
                String form,
                BiFunction<EventWindow, Operation, Object> onWindow,
                BiFunction<NaiveWindow, Operation, Object> onModel) {
            this.form = form;
            this.onWindow = onWindow;
            this.onModel = onModel;
        }

        private static Object run(Runnable call) {
            call.run();
            return "nothing";
        }
    }

    Object on(EventWindow window) {
        return member.onWindow.apply(window, this);
    }

    Object on(NaiveWindow model) {
        return member.onModel.apply(model, this);
    }

    private int limit() {
        return Math.toIntExact(argument);
    }

    @Override
    public String toString() {
        return "window." + member.form.formatted(nanos, argument) + ";";
    }
}
