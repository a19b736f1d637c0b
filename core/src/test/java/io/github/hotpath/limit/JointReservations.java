package io.github.hotpath.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The reservations of each of some threads. */
final class JointReservations {
    private final List<List<LimiterCalls.Reserved>> made;

    JointReservations(int threads) {
        made = Stream.<List<LimiterCalls.Reserved>>generate(ArrayList::new)
                .limit(threads)
                .toList();
    }

    /** Returns the reservation's string. */
    String add(int thread, LimiterCalls.Reserved reserved) {
        made.get(thread).add(reserved);
        return reserved.text();
    }

    /** Adjusts the last reservation of a thread, if there is one. */
    boolean adjustLast(int thread, int permits) {
        List<LimiterCalls.Reserved> mine = made.get(thread);
        return !mine.isEmpty() && mine.get(mine.size() - 1).adjust(permits);
    }
}
