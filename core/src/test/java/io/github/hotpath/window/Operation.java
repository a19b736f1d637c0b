package io.github.hotpath.window;

import java.time.Duration;
import java.util.function.BiFunction;

/**
 * A call of a public member of {@link EventWindow} and {@link ConcurrentEventWindow}, to be made on a window and on the
 * model. Reads as the statement it is.
 */
record Operation(Member member, long nanos, long argument) {

    /** Every public member but {@code interval}, on each of the three, and how it reads as code. */
    enum Member {
        RECORD(
                "record(%dL)",
                (window, call) -> window.record(call.nanos),
                (window, call) -> run(() -> window.record(call.nanos)),
                (model, call) -> model.record(call.nanos)),
        RECORD_AND_COUNT(
                "record(%dL)", // of a ConcurrentEventWindow, recordAndCount
                (window, call) -> window.record(call.nanos),
                (window, call) -> window.recordAndCount(call.nanos),
                (model, call) -> model.record(call.nanos)),
        COUNT(
                "count(%dL)",
                (window, call) -> window.count(call.nanos),
                (window, call) -> window.count(call.nanos),
                (model, call) -> model.count(call.nanos)),
        COUNT_SPAN(
                "count(%dL, Duration.ofNanos(%dL))",
                (window, call) -> window.count(call.nanos, Duration.ofNanos(call.argument)),
                (window, call) -> window.count(call.nanos, Duration.ofNanos(call.argument)),
                (model, call) -> model.count(call.nanos, call.argument)),
        TRIM(
                "trim(%dL)",
                (window, call) -> run(() -> window.trim(call.nanos)),
                (window, call) -> run(() -> window.trim(call.nanos)),
                (model, call) -> run(() -> model.trim(call.nanos))),
        CLEAR(
                "clear()",
                (window, call) -> run(window::clear),
                (window, call) -> run(window::clear),
                (model, call) -> run(model::clear)),
        TO_ARRAY(
                "toArray()", // of a ConcurrentEventWindow, of its snapshot
                (window, call) -> window.toArray(),
                (window, call) -> window.snapshot().toArray(),
                (model, call) -> model.toArray()),
        TO_STRING(
                "toString()",
                (window, call) -> window.toString(),
                (window, call) -> window.toString(),
                (model, call) -> model.toString());

        private final String form;
        private final BiFunction<EventWindow, Operation, Object> onWindow;
        private final BiFunction<ConcurrentEventWindow, Operation, Object> onConcurrent;
        private final BiFunction<NaiveWindow, Operation, Object> onModel;

        Member(
                String form,
                BiFunction<EventWindow, Operation, Object> onWindow,
                BiFunction<ConcurrentEventWindow, Operation, Object> onConcurrent,
                BiFunction<NaiveWindow, Operation, Object> onModel) {
            this.form = form;
            this.onWindow = onWindow;
            this.onConcurrent = onConcurrent;
            this.onModel = onModel;
        }

        private static Object run(Runnable call) {
            call.run();
            return NOTHING;
        }
    }

    private static final String NOTHING = "nothing";

    Object on(EventWindow window) {
        return member.onWindow.apply(window, this);
    }

    Object on(ConcurrentEventWindow window) {
        return member.onConcurrent.apply(window, this);
    }

    Object on(NaiveWindow model) {
        return member.onModel.apply(model, this);
    }

    /** Returns the result of a {@link ConcurrentEventWindow} where that of an {@link EventWindow} is {@code answer}. */
    Object concurrent(Object answer) {
        return switch (member) {
            case RECORD -> NOTHING;
            case TO_STRING -> "Concurrent" + answer;
            default -> answer;
        };
    }

    @Override
    public String toString() {
        return "window." + member.form.formatted(nanos, argument) + ";";
    }
}
