package io.github.hotpath.examples.replay;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Replays requests through candidates, at the times of the log: each is a {@link KeyedLimiter}, as it would be in a
 * server. The figures of all clients are retained, and windows only of those with a request in an interval lately.
 */
final class Replay {
    /** Requests that are late by no more than this are brought into the order of their times. */
    private static final long LATENESS_NANOS = Duration.ofMinutes(1).toNanos();

    /** More permits than all requests have. */
    private static final long ALL = 1L << 62;

    final List<Candidate> candidates;

    /** Whose busiest one is found for each client. */
    final List<Duration> intervals;

    private final Map<String, Client> clients = new HashMap<>();

    /** One for each candidate. */
    private final List<KeyedLimiter<String>> limiters;

    /** One for each interval, of all permits, granted or not: none of them refuses. */
    private final List<KeyedLimiter<String>> windows;

    /** Those that are still to be replayed, by their times. */
    private final NavigableMap<Long, List<Runnable>> waiting = new TreeMap<>();

    long requests;
    long permits;
    long firstNanos = Long.MAX_VALUE;
    long latestNanos = Long.MIN_VALUE;

    /** How many requests were earlier than one before them. */
    long late;

    /** The longest time by which one was. */
    long latestLateNanos;

    /** Creates a replay without requests. */
    Replay(List<Candidate> candidates, List<Duration> intervals) {
        this.candidates = candidates;
        this.intervals = intervals;
        limiters = candidates.stream()
                .map(candidate -> KeyedLimiter.<String>of(candidate.limits()))
                .toList();
        windows = intervals.stream()
                .map(interval -> KeyedLimiter.<String>of(Limit.of(ALL, interval)))
                .toList();
    }

    /** Takes a request of a client, and replays those that are over a minute older than the latest one. */
    void add(String key, long nanos, int number) {
        requests++;
        permits += number;
        noteTime(nanos);
        waiting.computeIfAbsent(nanos, any -> new ArrayList<>()).add(() -> replay(key, nanos, number));
        replayUntil(latestNanos - LATENESS_NANOS);
    }

    /** Replays the other requests. */
    void finish() {
        replayUntil(Long.MAX_VALUE);
    }

    private void replayUntil(long nanos) {
        while (!waiting.isEmpty() && waiting.firstKey() < nanos) {
            waiting.pollFirstEntry().getValue().forEach(Runnable::run);
        }
    }

    private void replay(String key, long nanos, int number) {
        Client client = clients.computeIfAbsent(key, any -> new Client(key, candidates.size(), intervals.size()));
        client.requests++;
        for (int i = 0; i < client.busiest.length; i++) {
            Limiter window = windows.get(i).forKey(key);
            window.record(nanos, number);
            // A limit of N permits refuses a client if, and only if, this is over N: before that it refuses nothing.
            client.busiest[i] = Math.max(client.busiest[i], ALL - window.available(nanos));
        }
        for (int i = 0; i < client.refusals.length; i++) {
            long wait = limiters.get(i).forKey(key).tryAcquireOrDelay(nanos, number);
            if (wait != 0) {
                client.refusals[i].add(wait);
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

    Collection<Client> clients() {
        return clients.values();
    }
}
