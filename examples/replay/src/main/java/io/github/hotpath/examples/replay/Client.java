package io.github.hotpath.examples.replay;

import java.util.stream.Stream;

/** The figures of a client. */
final class Client {
    final String key;

    /** The most permits in an interval, for each interval. */
    final long[] busiest;

    /** By candidate. */
    final Refusals[] refusals;

    long requests;

    Client(String key, int candidates, int intervals) {
        this.key = key;
        busiest = new long[intervals];
        refusals = Stream.generate(Refusals::new).limit(candidates).toArray(Refusals[]::new);
    }

    /** Returns how often a candidate refuses this client. */
    long refused(int candidate) {
        return refusals[candidate].number();
    }
}
