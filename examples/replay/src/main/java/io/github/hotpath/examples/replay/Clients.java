package io.github.hotpath.examples.replay;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * The clients of a log, in memory that does not grow with it. Retained are:
 *
 * <ul>
 *   <li>the windows of clients with a request in the longest interval, or one not long before, and up to as many again;
 *   <li>the figures, without windows, of all clients while there are at most {@code capacity}; of more, those of a
 *       sample by the hash of the key: each time there are too many, every other one is dropped. A client is in the
 *       sample from its first request on or never, so its figures are complete;
 *   <li>the figures of the clients that are refused, up to as many again; then the half with the fewest refusals is
 *       dropped.
 * </ul>
 */
final class Clients {
    /** How late a request may be to be evaluated as if no window were ever released. */
    static final long LATENESS_NANOS = 60_000_000_000L;

    private static final int FEWEST_WINDOWS = 1024;

    private final Map<String, Client> clients = new HashMap<>();
    private final int capacity;
    private final int intervals;
    private final long longestNanos;
    private final LongFunction<Windows> windows;

    /** Those with windows. */
    private final List<Client> live = new ArrayList<>();

    private int mostLive = FEWEST_WINDOWS;

    /** A client is in the sample if its hash begins with so many zeros. */
    private int zeros;

    private int sampled;

    /** The clients with figures and without windows that are not in the sample. */
    private int others;

    private boolean isAnyRefusedDropped;
    private long latestNanos = Long.MIN_VALUE;
    private long earliestNanos = Long.MIN_VALUE;

    /**
     * Creates a map without clients.
     *
     * @param capacity at least 1
     * @param intervals the number of intervals whose busiest one is found
     * @param longestNanos the longest interval
     * @param windows makes the windows of a client, which evaluate earlier requests at the given time
     */
    Clients(int capacity, int intervals, long longestNanos, LongFunction<Windows> windows) {
        this.capacity = capacity;
        this.intervals = intervals;
        this.longestNanos = longestNanos;
        this.windows = windows;
    }

    /** Returns the client, with windows. */
    Client get(String key, long nanos) {
        latestNanos = Math.max(latestNanos, nanos);
        Client client = clients.get(key);
        if (client == null || client.windows == null) {
            client = withWindows(key);
        }
        client.latestNanos = Math.max(client.latestNanos, nanos);
        return client;
    }

    private Client withWindows(String key) {
        if (live.size() >= mostLive) {
            releaseWindows();
        }
        Client known = clients.get(key);
        Client client = known == null ? new Client(key, hash(key), intervals) : known;
        client.windows = windows.apply(earliestNanos);
        live.add(client);
        if (known == null) {
            clients.put(key, client);
            if (isSampled(client) && ++sampled > capacity) {
                halveSample();
            }
        } else if (!isSampled(client)) {
            others--;
        }
        return client;
    }

    private static long hash(String key) {
        return Hashing.sipHash24().hashString(key, StandardCharsets.UTF_8).asLong();
    }

    private boolean isSampled(Client client) {
        return Long.numberOfLeadingZeros(client.hash) >= zeros;
    }

    private void halveSample() {
        while (sampled > capacity) {
            zeros++;
            sampled = (int) clients.values().stream().filter(this::isSampled).count();
        }
        clients.values().removeIf(client -> client.windows == null && !isSampled(client) && !client.isRefused());
        others = (int) clients.values().stream()
                .filter(client -> client.windows == null && !isSampled(client))
                .count();
        dropOthers();
    }

    /** Releases the windows in which nothing is that a request of the future, if it is not too late, could meet. */
    private void releaseWindows() {
        earliestNanos = latestNanos - LATENESS_NANOS;
        live.removeIf(this::release);
        mostLive = Math.max(FEWEST_WINDOWS, 2 * live.size());
        dropOthers();
    }

    private boolean release(Client client) {
        if (earliestNanos - client.latestNanos <= longestNanos) {
            return false;
        }
        client.windows = null;
        if (!isSampled(client)) {
            if (client.isRefused()) {
                others++;
            } else {
                clients.remove(client.key);
            }
        }
        return true;
    }

    private void dropOthers() {
        if (others <= capacity) {
            return;
        }
        List<Client> candidates = clients.values().stream()
                .filter(client -> client.windows == null && !isSampled(client))
                .sorted(Comparator.comparingLong(Client::refused))
                .toList();
        candidates.subList(0, candidates.size() - capacity / 2).forEach(client -> clients.remove(client.key));
        others = capacity / 2;
        isAnyRefusedDropped = true;
    }

    /** Returns all clients, or a sample of them: each has all of its requests. */
    Stream<Client> sample() {
        return clients.values().stream().filter(this::isSampled);
    }

    /** Returns the clients that are retained, in the sample or not. */
    Collection<Client> retained() {
        return clients.values();
    }

    /** Returns for how many clients each one in the sample stands: 1 if all are in it. */
    double weight() {
        return Math.pow(2, zeros);
    }

    /** Returns whether the clients that are refused are all retained, with all of their refusals. */
    boolean hasAllRefused() {
        return !isAnyRefusedDropped;
    }

    /** Returns how many clients have windows. */
    int windows() {
        return live.size();
    }
}
