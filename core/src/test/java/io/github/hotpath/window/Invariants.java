package io.github.hotpath.window;

import java.util.ArrayDeque;
import java.util.Objects;

/** Throws if what the fields of a window state of themselves does not hold. */
final class Invariants {
    /** The most logs of late events. */
    private static final int MAX_LATE = 7;

    private Invariants() {}

    static void check(ConcurrentEventWindow window) {
        String ignored = window.toString(); // locks all stripes, which tells each of what has been appended
        Stripe base = (Stripe) get(window, "base");
        check(base.escape == null, "an object kept after the call that used it");
        check(base.window);
        StripeTable table = (StripeTable) Fields.get(window, "table");
        if (table != null) {
            for (Stripe stripe : table.stripes) {
                check(stripe.window);
            }
        }
    }

    static void check(EventWindow window) {
        check(window.log());
        LateEvents late = (LateEvents) Fields.get(window, "late");
        if (late != null) {
            EventLog[] logs = (EventLog[]) get(late, "logs");
            check(logs.length > 0 && logs.length <= MAX_LATE, "none or too many logs of late events");
            for (EventLog log : logs) {
                check(log);
            }
        }
        check(window.isStarted() || window.size() == 0, "events without a latest time");
    }

    private static void check(EventLog log) {
        long[] first = log.firstChunk();
        long[] last = log.lastChunk();
        ArrayDeque<?> middle = (ArrayDeque<?>) Fields.get(log, "middle");
        int capacity = (int) get(log, "capacity");
        long[] spare = (long[]) Fields.get(log, "spare");
        boolean single = first == last;
        if (log.size() == 0) {
            boolean small = last.length <= Chunks.SMALL;
            check(single && log.head() == 0 && log.tail() == last.length && small, "an empty log with a chunk in use");
            check(middle == null && capacity == 0 && spare == null, "an empty log with memory to spare");
            return;
        }
        boolean headInside = log.head() >= 0 && log.head() < first.length;
        check(headInside && log.tail() > 0 && log.tail() <= last.length, "head or tail outside its chunk");
        long counted = single ? log.tail() - log.head() : first.length - log.head() + log.tail();
        if (middle != null) {
            check(!single || middle.isEmpty(), "a middle without two ends");
            check(middle.size() <= capacity, "a middle larger than its capacity");
            for (Object chunk : middle) {
                counted += ((long[]) chunk).length;
            }
        }
        check(counted == log.size(), "size is not what the chunks hold");
        check(middle != null || capacity == 0, "a capacity without a deque");
        check(spare == null || spare.length == Chunks.MAX_LENGTH, "a spare that is not of full length");
        long[] times = new long[(int) log.size()];
        log.copyTo(times, 0);
        for (int i = 1; i < times.length; i++) {
            check(times[i] - times[i - 1] >= 0, "events out of order");
        }
    }

    private static Object get(Object part, String name) {
        return Objects.requireNonNull(Fields.get(part, name), name);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
