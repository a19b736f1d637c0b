package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the members with data agree on: a limiter for each key. The same attempts in the same order, each with its time,
 * make the same state everywhere. For one thread at a time.
 */
final class FleetState {
    /*
     * A snapshot is written while attempts go on. It lists the limiters at its beginning, and a limiter that is changed
     * before it has been written is serialized first (copy on write). So an attempt waits for one limiter of its own,
     * and for the listing.
     */

    private static final int EVICTIONS = 2;

    /** So many limiters are serialized at once, while attempts wait. */
    private static final int CHUNK = 256;

    /**
     * The limiters of each limit by their key, the one that was used longest ago first. The limits are in the order in
     * which idle limiters of them are looked for. So all orders are the same at all members, also after a snapshot.
     */
    private final Map<LimitSet, Map<String, Entry>> limiters = new LinkedHashMap<>();

    /** The version of the entries of the log that all members can read; 0 until the group is complete. */
    private int format;

    /** The number of the last snapshot. */
    private int snapshots;

    /** A limiter, and what a snapshot that has begun will write of it. */
    private static final class Entry {
        private final String key;
        private final SlidingWindowLimiter limiter;

        /** The last snapshot that needs nothing more of the limiter itself. */
        private int saved;

        private byte @Nullable [] form;

        private Entry(String key, SlidingWindowLimiter limiter, int saved) {
            this.key = key;
            this.limiter = limiter;
            this.saved = saved;
        }

        private void save(int snapshot) {
            if (saved != snapshot) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try {
                    limiter.writeTo(new DataOutputStream(bytes));
                } catch (IOException e) {
                    throw new UncheckedIOException(e); // not to memory
                }
                form = bytes.toByteArray();
                saved = snapshot;
            }
        }
    }

    int format() {
        return format;
    }

    /** Raises the format, or leaves it as it is. */
    void raiseFormat(int version) {
        format = Math.max(format, version);
    }

    /** Makes attempts at a time, which never moves back, and returns the delay of each, 0 if it was granted. */
    long[] apply(long nanos, List<List<Request>> attempts) {
        evictInTurn(nanos);
        long[] delays = new long[attempts.size()];
        for (int i = 0; i < delays.length; i++) {
            List<Request> attempt = attempts.get(i);
            delays[i] = attempt.size() == 1 ? acquire(nanos, attempt.get(0)) : acquireAll(nanos, attempt);
        }
        return delays;
    }

    private long acquire(long nanos, Request request) {
        return limiter(nanos, request).tryAcquireOrDelay(nanos, request.permits());
    }

    /** All or nothing: what was acquired before one is refused is cancelled, at the time at which it was acquired. */
    private long acquireAll(long nanos, List<Request> attempt) {
        List<Reservation> made = new ArrayList<>();
        long delay = 0;
        for (Request request : attempt) {
            Reservation reservation = limiter(nanos, request).reserve(nanos, request.permits(), Duration.ZERO);
            delay = Math.max(delay, reservation.delayNanos());
            made.add(reservation);
        }
        if (delay > 0) {
            made.forEach(Reservation::cancel);
        }
        return delay;
    }

    private SlidingWindowLimiter limiter(long nanos, Request request) {
        Map<String, Entry> ofLimit = limiters.computeIfAbsent(request.limits(), limits -> leastRecentFirst());
        Entry entry = ofLimit.get(request.key());
        if (entry == null) {
            evict(ofLimit, nanos);
            SlidingWindowLimiter limiter =
                    SlidingWindowLimiter.of(request.limits().limits());
            entry = new Entry(request.key(), limiter, snapshots);
            ofLimit.put(request.key(), entry);
        }
        entry.save(snapshots);
        return entry.limiter;
    }

    private static Map<String, Entry> leastRecentFirst() {
        return new LinkedHashMap<>(16, 0.75f, true);
    }

    /** An idle limiter and a new one give the same answers. Two leave for one that comes. */
    private static void evict(Map<String, Entry> ofLimit, long nanos) {
        Iterator<Entry> oldest = ofLimit.values().iterator();
        for (int left = EVICTIONS;
                left > 0 && oldest.hasNext() && oldest.next().limiter.isIdle(nanos);
                left--) {
            oldest.remove();
        }
    }

    /** Of a limit that is not used any more, none comes for which others would leave. */
    private void evictInTurn(long nanos) {
        Iterator<Map.Entry<LimitSet, Map<String, Entry>>> turns =
                limiters.entrySet().iterator();
        if (turns.hasNext()) {
            Map.Entry<LimitSet, Map<String, Entry>> turn = turns.next();
            LimitSet limits = turn.getKey();
            Map<String, Entry> ofLimit = turn.getValue();
            evict(ofLimit, nanos);
            turns.remove();
            if (!ofLimit.isEmpty()) {
                limiters.put(limits, ofLimit); // at the end
            }
        }
    }

    /** Returns for each key of a limit how many permits are available. Changes nothing. */
    Map<String, Long> available(long nanos, LimitSet limits) {
        Map<String, Long> available = new HashMap<>();
        limiters.getOrDefault(limits, Map.of())
                .forEach((key, entry) -> available.put(key, entry.limiter.available(nanos)));
        return available;
    }

    /** Returns how many limiters there are. */
    int keys() {
        return limiters.values().stream().mapToInt(Map::size).sum();
    }

    /** Begins a snapshot of this moment. One at a time. */
    Snapshot snapshot() {
        return new Snapshot();
    }

    /** The state at one moment, which is written while attempts go on. */
    final class Snapshot {
        private final int number = ++snapshots;
        private final int formatThen = format;
        private final Map<LimitSet, List<Entry>> entries = new LinkedHashMap<>();

        private Snapshot() {
            limiters.forEach((limits, ofLimit) -> entries.put(limits, new ArrayList<>(ofLimit.values())));
        }

        /** Writes it: each limiter in its compact form. The state is read with its {@code lock}. */
        void writeTo(DataOutput out, Object lock) throws IOException {
            out.writeByte(formatThen);
            out.writeInt(entries.size());
            for (Map.Entry<LimitSet, List<Entry>> ofLimit : entries.entrySet()) {
                Attempts.writeLimits(ofLimit.getKey(), out);
                out.writeInt(ofLimit.getValue().size());
                for (int from = 0; from < ofLimit.getValue().size(); from += CHUNK) {
                    int to = Math.min(ofLimit.getValue().size(), from + CHUNK);
                    writeChunk(ofLimit.getValue().subList(from, to), out, lock);
                }
            }
        }

        private void writeChunk(List<Entry> chunk, DataOutput out, Object lock) throws IOException {
            List<byte[]> forms = new ArrayList<>(chunk.size());
            synchronized (lock) {
                for (Entry entry : chunk) {
                    entry.save(number);
                    forms.add(entry.form);
                    entry.form = null;
                }
            }
            for (int i = 0; i < chunk.size(); i++) {
                out.writeUTF(chunk.get(i).key);
                out.write(forms.get(i));
            }
        }
    }

    /** Reads what {@link Snapshot#writeTo} has written, in a format up to {@code newest}. */
    static FleetState readFrom(DataInput in, int newest) throws IOException {
        FleetState state = new FleetState();
        state.format = readFormat(in, newest);
        for (int left = in.readInt(); left > 0; left--) {
            LimitSet limits = Attempts.readLimits(in);
            Map<String, Entry> ofLimit = leastRecentFirst();
            for (int keys = in.readInt(); keys > 0; keys--) {
                String key = in.readUTF();
                ofLimit.put(key, new Entry(key, SlidingWindowLimiter.readFrom(in), 0));
            }
            state.limiters.put(limits, ofLimit);
        }
        return state;
    }

    /** Reads the format of what follows, which may be of a newer program. */
    static int readFormat(DataInput in, int newest) throws IOException {
        int format = in.readUnsignedByte();
        if (format > newest) {
            throw new IOException(
                    "format of the fleet: " + format + " (expected: at most " + newest + ", by this program)");
        }
        return format;
    }
}
