package io.github.hotpath.window;

import java.util.Arrays;

/**
 * What a window must do after calls that have thrown errors: every call returns, and they all agree on the events that
 * the accounts allow. Ends the JVM if not.
 */
final class ErrorAudit {
    private final AnyWindow window;
    private final ErrorCalls[] all;
    private final long start;
    private final long interval;

    ErrorAudit(ErrorCalls... all) {
        this.all = all;
        this.window = all[0].window;
        this.start = all[0].start;
        this.interval = all[0].mix.interval();
    }

    /**
     * Calls every read of the window, and begins a new account; with {@code clear}, of a window with some new events.
     */
    void run(boolean clear, int fill) {
        long[] held = held();
        for (ErrorCalls calls : all) {
            calls.checkAnswers();
        }
        check(ErrorCalls.complaint(held, all));
        window.checkInvariants().run();
        long now = 0;
        for (ErrorCalls calls : all) {
            now = Math.max(now, calls.clock());
        }
        checkReads(held, now);

        if (held.length > 0) {
            // Before any other change: a record in order, and a trim, would evict what an error may have left.
            long late = held[held.length / 2];
            held = with(held, late, late);
            long count = window.recordAndCount().applyAsLong(start + late);
            check(count == held.length ? "" : "a record out of order says " + count + ", not " + held.length);
            checkReads(held, now);
        }

        now += ErrorCalls.STEP;
        held = with(held, now, now);
        window.record().accept(start + now);
        checkHolds(held, now);
        window.trim().accept(start + now);
        checkHolds(held, now);

        if (clear) {
            window.clear().run();
            checkHolds(new long[0], now);
            held = new long[0];
        }
        for (ErrorCalls calls : all) {
            calls.restart(new long[0], now);
        }
        all[0].restart(held, now);
        all[0].fill(fill);
    }

    private long[] held() {
        long[] times = window.toArray().get();
        for (int i = 0; i < times.length; i++) {
            times[i] -= start;
        }
        return times;
    }

    /** Returns what the window holds after a record at {@code time}, if {@code now} is the latest time then. */
    private long[] with(long[] held, long now, long time) {
        int first = held.length - (int) within(held, now);
        long[] with = Arrays.copyOfRange(held, first, held.length + 1);
        with[with.length - 1] = time;
        Arrays.sort(with);
        return with;
    }

    private long within(long[] held, long now) {
        int first = 0;
        while (first < held.length && now - held[first] > interval) {
            first++;
        }
        return held.length - first;
    }

    private void checkHolds(long[] expected, long now) {
        long[] held = held();
        check(Arrays.equals(held, expected) ? "" : held.length + " events, not the " + expected.length + " there are");
        window.checkInvariants().run();
        checkReads(held, now);
    }

    /** Checks that reads at {@code now} and later agree on {@code held}. */
    private void checkReads(long[] held, long now) {
        for (int eighths = 0; eighths <= 10; eighths++) {
            long then = now + interval * eighths / 8;
            long count = window.count().applyAsLong(start + then);
            check(count == within(held, then) ? "" : "count says " + count + ", not " + within(held, then));
        }
    }

    private static void check(String complaint) {
        if (!complaint.isEmpty()) {
            throw new AssertionError(complaint);
        }
    }
}
