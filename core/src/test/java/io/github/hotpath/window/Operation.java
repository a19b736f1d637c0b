package io.github.hotpath.window;

import java.time.Duration;

/** A call of a member that all windows have, to be made on a window and on its model. */
record Operation(Member member, long nanos, long argument) {
    enum Member {
        RECORD,
        RECORD_AND_COUNT,
        COUNT,
        COUNT_SPAN,
        TRIM,
        CLEAR,
        TO_ARRAY,
        TO_STRING
    }

    private static final String NOTHING = "nothing";

    /** Makes the call, and returns its result, which is to be that of the same call of another class of windows. */
    Object on(AnyWindow window) {
        return switch (member) {
            case RECORD -> nothing(() -> window.record().accept(nanos));
            case RECORD_AND_COUNT -> window.recordAndCount().applyAsLong(nanos);
            case COUNT -> window.count().applyAsLong(nanos);
            case COUNT_SPAN -> window.countSpan().at(nanos, Duration.ofNanos(argument));
            case TRIM -> nothing(() -> window.trim().accept(nanos));
            case CLEAR -> nothing(window.clear());
            case TO_ARRAY -> window.toArray().get();
            case TO_STRING -> window.window().toString().replace("Concurrent", "");
        };
    }

    private static Object nothing(Runnable call) {
        call.run();
        return NOTHING;
    }
}
