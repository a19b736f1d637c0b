package io.github.hotpath.examples.fleet;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of this member's batches, by which the fleet recognizes a repetition; and which of them may be repeated.
 * For one thread at a time.
 */
final class Session {
    /*
     * A batch stays open after its time is over, for as long as its attempts may be repeated. With each batch the fleet
     * is told which ones are open, and forgets the outcomes of the others. A session that was not used for some time is
     * not continued, since the fleet forgets it, too, and would take its first batch for a new one. For the same reason
     * no batch is sent for longer. Nor is a session continued that the fleet turns out to have forgotten, or never to
     * have known from its beginning: it would answer no batch of it.
     */

    /** How long an attempt with an unknown outcome can be repeated. */
    static final Duration REPEATABLE = Duration.ofMinutes(1);

    /** How long a session is continued, and a batch sent: half as long as the fleet remembers it. */
    static final Duration LONGEST = FleetState.SESSION.dividedBy(2);

    private static final int MOST_OPEN = 1_000;

    private final TreeMap<Long, Batch> open = new TreeMap<>();
    private UUID id = UUID.randomUUID();
    private long last;
    private long lastUsed;

    Session(long now) {
        lastUsed = now;
    }

    /** Makes the next batch. If memory ends, there is none. */
    Batch next(long now, List<Attempt> attempts, Predicate<Batch> isOnTheWay) {
        if (now - lastUsed >= LONGEST.toNanos()) {
            begin();
        }
        lastUsed = now;
        forgetOld(now, isOnTheWay);
        long number = last + 1;
        Attempts content = new Attempts(
                id,
                number,
                List.copyOf(open.keySet()),
                attempts.stream().map(Attempt::requests).toList());
        Batch batch = new Batch(id, number, attempts, content.toBytes(), now);
        open.put(number, batch);
        last = number;
        return batch;
    }

    private void begin() {
        id = UUID.randomUUID();
        last = 0;
        open.clear();
    }

    private void forgetOld(long now, Predicate<Batch> isOnTheWay) {
        Iterator<Batch> oldest = open.values().iterator();
        while (oldest.hasNext()) {
            Batch batch = oldest.next();
            boolean old = now - batch.deadline > REPEATABLE.toNanos() || open.size() > MOST_OPEN;
            if (old && !isOnTheWay.test(batch)) {
                oldest.remove();
            }
        }
    }

    /** Returns whether a batch of which no outcome is known can be sent, now or later. */
    boolean isOpen(Batch batch) {
        return open.get(batch.number()) == batch;
    }

    /** Returns whether a batch can be sent again, now. */
    boolean isRepeatable(Batch batch, long now) {
        return isOpen(batch)
                && now - batch.deadline <= REPEATABLE.toNanos()
                && now - batch.madeAt() < LONGEST.toNanos();
    }

    /** A batch has an outcome, or none since the fleet has forgotten the session, which is not continued then. */
    void answered(Batch batch, long @Nullable [] delays) {
        if (batch.delays != null) {
            return; // there was another copy of it
        }
        batch.delays = delays;
        open.remove(batch.number(), batch);
        if (delays == null && batch.session().equals(id)) {
            begin();
        }
    }
}
