package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the members with data agree on: a limiter for each key, and the outcomes that members may still ask for. The
 * same attempts in the same order, each with its time, make the same state everywhere. For one thread at a time.
 */
final class FleetState {
    private static final int VERSION = 1;

    /** After which a session of which nothing was heard is forgotten. Its member begins a new one long before. */
    static final Duration SESSION = Duration.ofHours(1);

    private static final int EVICTIONS = 2;

    /**
     * The limiters of each limit by their key, the one that was used longest ago first. The limits are in the order in
     * which idle limiters of them are looked for. So all orders are the same at all members, also after a snapshot.
     */
    private final Map<LimitSet, Map<String, SlidingWindowLimiter>> limiters = new LinkedHashMap<>();

    /** The one that was used longest ago first. */
    private final Map<UUID, Session> sessions = leastRecentFirst();

    /** The outcomes of a member's attempts: those after {@code last} are new, others are in {@code outcomes}. */
    private static final class Session {
        private final Map<Long, long[]> outcomes = new TreeMap<>();
        private long last;
        private List<Long> open = List.of();
        private long used;
    }

    private static <K, V> Map<K, V> leastRecentFirst() {
        return new LinkedHashMap<>(16, 0.75f, true);
    }

    /**
     * Makes attempts at a time, which never moves back, and returns the delay of each, 0 if its permits were acquired.
     * Returns the same again if they are repeated, and null, having changed nothing, if they are repeated although
     * their member has said that it will not.
     */
    long @Nullable [] apply(long nanos, Attempts batch) {
        forgetSessions(nanos);
        Session session = sessions.get(batch.session());
        if (session == null) {
            if (batch.open().size() < batch.number() - 1) {
                return null; // others were answered before it: the session was forgotten
            }
            session = new Session();
            sessions.put(batch.session(), session);
        }
        long[] known = session.outcomes.get(batch.number());
        if (known != null) {
            return known;
        }
        boolean closed = batch.number() < session.last && !session.open.contains(batch.number());
        return closed ? null : make(nanos, session, batch);
    }

    private long[] make(long nanos, Session session, Attempts batch) {
        evictInTurn(nanos);
        long[] delays = new long[batch.attempts().size()];
        for (int i = 0; i < delays.length; i++) {
            List<Request> attempt = batch.attempts().get(i);
            delays[i] = attempt.size() == 1 ? acquire(nanos, attempt.get(0)) : acquireAll(nanos, attempt);
        }
        session.outcomes.put(batch.number(), delays);
        session.used = nanos;
        if (batch.number() > session.last) {
            session.last = batch.number();
            session.open = batch.open();
            session.outcomes
                    .keySet()
                    .removeIf(
                            number -> number != batch.number() && !batch.open().contains(number));
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
        Map<String, SlidingWindowLimiter> ofLimit =
                limiters.computeIfAbsent(request.limits(), limits -> leastRecentFirst());
        SlidingWindowLimiter limiter = ofLimit.get(request.key());
        if (limiter == null) {
            evict(ofLimit, nanos);
            limiter = SlidingWindowLimiter.of(request.limits().limits());
            ofLimit.put(request.key(), limiter);
        }
        return limiter;
    }

    /** An idle limiter and a new one give the same answers. Two leave for one that comes. */
    private static void evict(Map<String, SlidingWindowLimiter> ofLimit, long nanos) {
        Iterator<SlidingWindowLimiter> oldest = ofLimit.values().iterator();
        for (int left = EVICTIONS; left > 0 && oldest.hasNext() && oldest.next().isIdle(nanos); left--) {
            oldest.remove();
        }
    }

    /** Of a limit that is not used any more, none comes for which others would leave. */
    private void evictInTurn(long nanos) {
        Iterator<Map.Entry<LimitSet, Map<String, SlidingWindowLimiter>>> turns =
                limiters.entrySet().iterator();
        if (turns.hasNext()) {
            Map.Entry<LimitSet, Map<String, SlidingWindowLimiter>> turn = turns.next();
            LimitSet limits = turn.getKey();
            Map<String, SlidingWindowLimiter> ofLimit = turn.getValue();
            evict(ofLimit, nanos);
            turns.remove();
            if (!ofLimit.isEmpty()) {
                limiters.put(limits, ofLimit); // at the end
            }
        }
    }

    private void forgetSessions(long nanos) {
        Iterator<Session> oldest = sessions.values().iterator();
        while (oldest.hasNext() && nanos - oldest.next().used > SESSION.toNanos()) {
            oldest.remove();
        }
    }

    /** Returns for each key of a limit how many permits are available. Changes nothing. */
    Map<String, Long> available(long nanos, LimitSet limits) {
        Map<String, Long> available = new HashMap<>();
        limiters.getOrDefault(limits, Map.of()).forEach((key, limiter) -> available.put(key, limiter.available(nanos)));
        return available;
    }

    /** Returns how many limiters there are. */
    int keys() {
        return limiters.values().stream().mapToInt(Map::size).sum();
    }

    /** Writes all of it, for a snapshot: each limiter in its compact form. */
    void writeTo(DataOutput out) throws IOException {
        out.writeByte(VERSION);
        out.writeInt(limiters.size());
        for (Map.Entry<LimitSet, Map<String, SlidingWindowLimiter>> ofLimit : limiters.entrySet()) {
            out.writeUTF(ofLimit.getKey().name());
            List<Limit> limits = ofLimit.getKey().limits();
            SlidingWindowLimiter.of(limits).writeTo(out);
            out.writeInt(ofLimit.getValue().size());
            for (Map.Entry<String, SlidingWindowLimiter> limiter :
                    ofLimit.getValue().entrySet()) {
                out.writeUTF(limiter.getKey());
                limiter.getValue().writeTo(out);
            }
        }
        out.writeInt(sessions.size());
        for (Map.Entry<UUID, Session> session : sessions.entrySet()) {
            out.writeLong(session.getKey().getMostSignificantBits());
            out.writeLong(session.getKey().getLeastSignificantBits());
            writeSession(session.getValue(), out);
        }
    }

    private static void writeSession(Session session, DataOutput out) throws IOException {
        out.writeLong(session.last);
        out.writeLong(session.used);
        out.writeInt(session.open.size());
        for (long number : session.open) {
            out.writeLong(number);
        }
        out.writeInt(session.outcomes.size());
        for (Map.Entry<Long, long[]> outcome : session.outcomes.entrySet()) {
            out.writeLong(outcome.getKey());
            out.writeInt(outcome.getValue().length);
            for (long delay : outcome.getValue()) {
                out.writeLong(delay);
            }
        }
    }

    /** Reads what {@link #writeTo} has written. */
    static FleetState readFrom(DataInput in) throws IOException {
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new StreamCorruptedException("version of the state: " + version + " (expected: " + VERSION + ")");
        }
        FleetState state = new FleetState();
        for (int left = in.readInt(); left > 0; left--) {
            String name = in.readUTF();
            LimitSet limits =
                    new LimitSet(name, SlidingWindowLimiter.readFrom(in).limits());
            Map<String, SlidingWindowLimiter> ofLimit = leastRecentFirst();
            for (int keys = in.readInt(); keys > 0; keys--) {
                ofLimit.put(in.readUTF(), SlidingWindowLimiter.readFrom(in));
            }
            state.limiters.put(limits, ofLimit);
        }
        for (int left = in.readInt(); left > 0; left--) {
            state.sessions.put(new UUID(in.readLong(), in.readLong()), readSession(in));
        }
        return state;
    }

    private static Session readSession(DataInput in) throws IOException {
        Session session = new Session();
        session.last = in.readLong();
        session.used = in.readLong();
        List<Long> open = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            open.add(in.readLong());
        }
        session.open = open;
        for (int left = in.readInt(); left > 0; left--) {
            long number = in.readLong();
            long[] delays = new long[in.readInt()];
            for (int i = 0; i < delays.length; i++) {
                delays[i] = in.readLong();
            }
            session.outcomes.put(number, delays);
        }
        return session;
    }
}
