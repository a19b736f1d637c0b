package io.github.hotpath.window;

/**
 * A call of a public member of {@link BoundedEventWindow}, to be made on a window and on the model. Reads as the
 * statement it is.
 */
record BoundedOperation(Member member, long nanos, long argument) {

    /** The members, and how they read as code; a count is that of both bounds. */
    enum Member {
        RECORD("window.record(%1$dL, %2$d);"),
        COUNT("window.countAtLeast(%1$dL); window.countAtMost(%1$dL);"),
        COUNT_SPAN("window.countAtLeast(%1$dL, Duration.ofNanos(%2$dL));"
                + " window.countAtMost(%1$dL, Duration.ofNanos(%2$dL));"),
        TRIM("window.trim(%1$dL);"),
        CLEAR("window.clear();");

        private final String form;

        Member(String form) {
            this.form = form;
        }
    }

    /** Returns a call at the time of {@code operation}, and where that records and counts, one that records several. */
    static BoundedOperation like(Operation operation) {
        long nanos = operation.nanos();
        return switch (operation.member()) {
            case RECORD -> new BoundedOperation(Member.RECORD, nanos, 1);
            case COUNT_SPAN -> new BoundedOperation(Member.COUNT_SPAN, nanos, operation.argument());
            case RECORD_AND_COUNT -> new BoundedOperation(Member.RECORD, nanos, 1 + Math.floorMod(nanos, 7L));
            case TRIM -> new BoundedOperation(Member.TRIM, nanos, 0);
            case CLEAR -> new BoundedOperation(Member.CLEAR, 0, 0);
            default -> new BoundedOperation(Member.COUNT, nanos, 0);
        };
    }

    /** Makes the call on both; throws if a bound is wrong or too far away. */
    void on(BoundedEventWindow window, BoundedModel model) {
        switch (member) {
            case RECORD -> {
                window.record(nanos, (int) argument);
                model.record(nanos, argument);
            }
            case COUNT -> model.check(window, nanos);
            case COUNT_SPAN -> model.check(window, nanos, argument);
            case TRIM -> {
                window.trim(nanos);
                model.trim(nanos);
            }
            case CLEAR -> {
                window.clear();
                model.clear();
            }
        }
    }

    @Override
    public String toString() {
        return member.form.formatted(nanos, argument);
    }
}
