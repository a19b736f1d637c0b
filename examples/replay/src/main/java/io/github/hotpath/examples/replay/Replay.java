package io.github.hotpath.examples.replay;

import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Replays requests through candidates, at the times of the log. */
final class Replay {
    private final List<Candidate> candidates;
    private final boolean compares;
    private final LogClock clock = new LogClock();
    private final Clients clients;

    /** Of all clients, by candidate. */
    private final Refusals[] refusals;

    /** The requests, and then the refusals by each candidate. */
    private final Timeline timeline;

    private long requests;
    private long permits;
    private long late;
    private long latestLateNanos;
    private long firstNanos = Long.MAX_VALUE;
    private long latestNanos = Long.MIN_VALUE;

    /**
     * Creates a replay without requests.
     *
     * @param compares whether requests are replayed through a token bucket and counters, too
     */
    Replay(List<Candidate> candidates, List<Duration> intervals, int capacity, boolean compares) {
        this.candidates = candidates;
        this.compares = compares;
        long longestNanos = Stream.concat(
                        candidates.stream()
                                .flatMap(
                                        candidate -> candidate.limits().stream().map(Limit::interval)),
                        intervals.stream())
                .mapToLong(Duration::toNanos)
                .max()
                .orElse(0);
        clients = new Clients(
                capacity,
                intervals.size(),
                longestNanos,
                earliestNanos -> new Windows(earliestNanos, candidates, intervals, clock));
        refusals = Stream.generate(Refusals::new).limit(candidates.size()).toArray(Refusals[]::new);
        timeline = new Timeline(1 + candidates.size());
    }

    /** Replays a request of a client. */
    void add(String key, long nanos, int number) {
        requests++;
        permits += number;
        timeline.add(0, nanos);
        noteTime(nanos);
        Client client = clients.get(key, nanos);
        client.requests++;
        Windows windows = client.windows;
        if (windows != null) { // always
            long time = Math.max(nanos, windows.earliestNanos);
            windows.record(time, number, client.busiest);
            clock.set(time);
            for (int i = 0; i < windows.attempts.length; i++) {
                attempt(client, i, windows.attempts[i], time, number);
            }
        }
    }

    private void noteTime(long nanos) {
        firstNanos = Math.min(firstNanos, nanos);
        if (nanos < latestNanos) {
            late++;
            latestLateNanos = Math.max(latestLateNanos, latestNanos - nanos);
        }
        latestNanos = Math.max(latestNanos, nanos);
    }

    private void attempt(Client client, int candidate, Attempts attempts, long nanos, int number) {
        long wait = attempts.tryAcquireOrDelay(nanos, number);
        if (wait != 0) {
            client.refusals(candidate, candidates.size()).add(wait);
            refusals[candidate].add(wait);
            timeline.add(1 + candidate, nanos);
        }
        if (compares) {
            count(client, candidate, Algorithm.TOKEN_BUCKET, attempts.tryConsume(number));
            count(client, candidate, Algorithm.COUNTERS, attempts.tryCount(nanos, number));
        }
    }

    private void count(Client client, int candidate, Algorithm algorithm, boolean isGranted) {
        if (!isGranted) {
            client.refusals(candidate, candidates.size()).add(algorithm);
            refusals[candidate].add(algorithm);
        }
    }

    Clients clients() {
        return clients;
    }

    /** Returns the refusals of all clients by a candidate. */
    Refusals refusals(int candidate) {
        return refusals[candidate];
    }

    /** Returns the requests, as kind 0, and the refusals by each candidate, from 1. */
    Timeline timeline() {
        return timeline;
    }

    long requests() {
        return requests;
    }

    long permits() {
        return permits;
    }

    /** Returns how many requests were earlier than one before them. */
    long late() {
        return late;
    }

    /** Returns the longest time by which a request was earlier than one before it. */
    long latestLateNanos() {
        return latestLateNanos;
    }

    long firstNanos() {
        return firstNanos;
    }

    long latestNanos() {
        return latestNanos;
    }
}
