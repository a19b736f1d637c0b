package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.replay.Client.Windows;
import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Replays requests through candidates, at the times of the log. The figures of all clients are retained, and the
 * windows of those with a request in the longest interval, or not long before, and of up to as many others.
 */
final class Replay {
    /** How late a request may be to be evaluated as if no window were ever released. */
    static final long LATENESS_NANOS = Duration.ofMinutes(1).toNanos();

    private static final int FEWEST_WINDOWS = 1024;

    final List<Candidate> candidates;

    /** Whose busiest one is found for each client. */
    final List<Duration> intervals;

    private final long longestNanos;
    private final Map<String, Client> clients = new HashMap<>();

    /** The clients with windows. */
    private final List<Client> live = new ArrayList<>();

    private int mostLive = FEWEST_WINDOWS;
    private long earliestNanos = Long.MIN_VALUE;

    /** Of all clients, by candidate. */
    private final Refusals[] refusals;

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
        longestNanos = Stream.concat(
                        candidates.stream().flatMap(c -> c.limits().stream()).map(Limit::interval), intervals.stream())
                .mapToLong(Duration::toNanos)
                .max()
                .orElse(0);
        refusals = Stream.generate(Refusals::new).limit(candidates.size()).toArray(Refusals[]::new);
    }

    /** Replays a request of a client. */
    void add(String key, long nanos, int number) {
        requests++;
        permits += number;
        noteTime(nanos);
        Client client = clients.get(key);
        Windows windows = client == null ? null : client.windows;
        if (client == null || windows == null) {
            releaseWindows();
            client = client == null ? new Client(key, candidates.size(), intervals.size()) : client;
            windows = new Windows(earliestNanos, candidates, intervals);
            client.windows = windows;
            clients.put(key, client);
            live.add(client);
        }
        client.requests++;
        client.latestNanos = Math.max(client.latestNanos, nanos);
        long time = Math.max(nanos, windows.earliestNanos);
        windows.record(time, number, client.busiest);
        for (int i = 0; i < windows.limiters.length; i++) {
            long wait = windows.limiters[i].tryAcquireOrDelay(time, number);
            if (wait != 0) {
                client.refusals[i].add(wait);
                refusals[i].add(wait);
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

    /** Releases windows, if there are many, in which nothing counts for later requests that are not too late. */
    private void releaseWindows() {
        if (live.size() >= mostLive) {
            earliestNanos = latestNanos - LATENESS_NANOS;
            live.removeIf(client -> {
                boolean isReleased = earliestNanos - client.latestNanos > longestNanos;
                client.windows = isReleased ? null : client.windows;
                return isReleased;
            });
            mostLive = Math.max(FEWEST_WINDOWS, 2 * live.size());
        }
    }

    Collection<Client> clients() {
        return clients.values();
    }

    /** Returns how many clients have windows. */
    int windows() {
        return live.size();
    }

    /** Returns the refusals of all clients by a candidate. */
    Refusals refusals(int candidate) {
        return refusals[candidate];
    }
}
