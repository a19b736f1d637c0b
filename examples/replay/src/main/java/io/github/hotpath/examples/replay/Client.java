package io.github.hotpath.examples.replay;

import org.jspecify.annotations.Nullable;

/** What is retained of a client: its figures and, while it has requests in an interval, its windows. */
final class Client {
    final String key;

    /** Evenly distributed: a client is in the sample if it begins with enough zeros. */
    final long hash;

    /** The most permits in an interval, for each interval. */
    final long[] busiest;

    /** By candidate. The elements are null while a candidate has never refused it; null while none has. */
    private @Nullable Refusals @Nullable [] refusals;

    long requests;
    long latestNanos = Long.MIN_VALUE;

    @Nullable
    Windows windows;

    Client(String key, long hash, int intervals) {
        this.key = key;
        this.hash = hash;
        busiest = new long[intervals];
    }

    /** Returns the refusals by a candidate, to add some. */
    Refusals refusals(int candidate, int candidates) {
        if (refusals == null) {
            refusals = new Refusals[candidates];
        }
        Refusals made = refusals[candidate];
        return made != null ? made : (refusals[candidate] = new Refusals());
    }

    /** Returns the refusals by a candidate, or null if it has never refused this client. */
    @Nullable
    Refusals refusals(int candidate) {
        return refusals == null ? null : refusals[candidate];
    }

    /** Returns how often a candidate refuses this client. */
    long refused(int candidate, Algorithm algorithm) {
        Refusals made = refusals(candidate);
        return made == null ? 0 : made.number(algorithm);
    }

    /** Returns how often all candidates together refuse this client. */
    long refused() {
        long sum = 0;
        for (int i = 0; refusals != null && i < refusals.length; i++) {
            for (Algorithm algorithm : Algorithm.values()) {
                sum += refused(i, algorithm);
            }
        }
        return sum;
    }

    boolean isRefused() {
        return refusals != null;
    }
}
