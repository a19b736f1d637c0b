package io.github.hotpath.examples.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** The sums of the logs of all clients. */
final class Report {
    private final List<GrantLog.Grant> grants = new ArrayList<>();
    private long attempts;
    private long refusedLocally;
    private long unknown;
    private long longestNanos;

    void add(GrantLog log) {
        attempts += log.attempts();
        refusedLocally += log.refusedLocally();
        unknown += log.unknown();
        longestNanos = Math.max(longestNanos, log.longestNanos());
        LongStream.range(0, log.granted()).mapToObj(log::grant).forEach(grants::add);
    }

    Grants grants() {
        return new Grants(grants);
    }

    long granted() {
        return grants.size();
    }

    long attempts() {
        return attempts;
    }

    long refusedLocally() {
        return refusedLocally;
    }

    long unknown() {
        return unknown;
    }

    long longestNanos() {
        return longestNanos;
    }
}
