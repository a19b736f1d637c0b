package io.github.hotpath.examples.recipes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A log of all calls, to check limits independently of a limiter. Thread-safe. */
final class CallLog {
    private final long start;
    private final List<Call> calls = new ArrayList<>();

    /** Creates an empty log whose first minute begins at {@code start}. */
    CallLog(long start) {
        this.start = start;
    }

    synchronized void add(long sent, int estimate, int used) {
        calls.add(new Call(sent - start, estimate, used));
    }

    /** Returns the use of each minute from the start on, up to the last that has a call. */
    List<Use> byMinute(Duration minute) {
        List<Use> uses = new ArrayList<>();
        for (Call call : inOrder()) {
            long index = call.sent / minute.toNanos();
            while (uses.size() <= index) {
                uses.add(Use.NONE);
            }
            uses.set((int) index, uses.get((int) index).plus(call));
        }
        return uses;
    }

    /** Returns the most calls, and the most tokens, in any time span of length {@code span}, both ends included. */
    Use mostInAny(Duration span) {
        List<Call> inOrder = inOrder();
        Use most = Use.NONE;
        Use use = Use.NONE;
        int oldest = 0;
        for (Call call : inOrder) {
            use = use.plus(call);
            while (call.sent - inOrder.get(oldest).sent > span.toNanos()) {
                use = use.minus(inOrder.get(oldest++));
            }
            most = most.max(use);
        }
        return most;
    }

    /** Returns the sum of all. */
    Use total() {
        Use total = Use.NONE;
        for (Call call : inOrder()) {
            total = total.plus(call);
        }
        return total;
    }

    private synchronized List<Call> inOrder() {
        List<Call> inOrder = new ArrayList<>(calls);
        inOrder.sort(Comparator.comparingLong(Call::sent));
        return inOrder;
    }

    /** A call, sent so many nanoseconds after the start. */
    private record Call(long sent, int estimate, int used) {}

    /** The calls of a span, the tokens that were estimated for them, and those used. */
    record Use(int calls, long estimated, long tokens) {
        private static final Use NONE = new Use(0, 0, 0);

        private Use plus(Call call) {
            return new Use(calls + 1, estimated + call.estimate, tokens + call.used);
        }

        private Use minus(Call call) {
            return new Use(calls - 1, estimated - call.estimate, tokens - call.used);
        }

        private Use max(Use other) {
            return new Use(
                    Math.max(calls, other.calls), Math.max(estimated, other.estimated), Math.max(tokens, other.tokens));
        }
    }
}
